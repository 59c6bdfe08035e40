// A text file of the certificate, line by line and word by word.
//
//   Lines lines("clauses.txt", text);
//   while (lines.next()) {
//     if (lines.skip("v ")) number = lines.integer(1, most); ...
//   }
//
// Everything that does not fit throws a Refusal with the file and the line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "domain/fact.h"
#include "verify/propagator.h"
#include "verify/refusal.h"

namespace clew::verify {

class Lines {
 public:
  Lines(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  // On to the next line; false at the end. The last line may lack its line end.
  bool next();
  size_t number() const { return number_; }
  std::string_view rest() const { return rest_; }

  // Each of these takes something from the front of the rest.
  bool skip(std::string_view text);  // false: it is not there
  void expect(std::string_view text);
  std::string_view word();                       // up to the next blank, and that blank
  int64_t integer(int64_t least, int64_t most);  // and the blank after it
  int64_t digits(int64_t most);                  // from 1 to most, up to what is no digit
  std::string quoted();                          // "text"; a `"` in it is written twice
  std::vector<Datum> tuple();                    // ("a", 4)
  // Literals of variables up to `most`, and the 0 that ends them, with the blank after it.
  std::vector<Lit> clause(Lit most);
  // Literals up to the end of the line.
  std::vector<Lit> literals(Lit most);

  [[noreturn]] void refuse(std::string message) const;

 private:
  Datum datum();

  std::string file_;
  std::string_view text_;  // what comes after the current line
  std::string_view rest_;
  size_t number_ = 0;
};

}  // namespace clew::verify
