#include "domain/json_guard.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/columns.h"

namespace clew {

namespace {

using nlohmann::json;

constexpr size_t kMostNesting = 16;

// The library's message without its own prefixes: "line 3, column 5: syntax error ...".
std::string explain(const nlohmann::detail::exception& exception) {
  std::string_view text = exception.what();
  if (const size_t end = text.find("] "); end != std::string_view::npos) {
    text.remove_prefix(end + 2);
  }
  constexpr std::string_view kPrefix = "parse error at ";
  if (text.substr(0, kPrefix.size()) == kPrefix) text.remove_prefix(kPrefix.size());
  return printable(text);
}

class Guard : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t& name) override {
    if (keys_.back().insert(name).second) return true;
    return fail(fmt::format("the key \"{}\" occurs twice in one object", printable(name, 60)));
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& exception) override {
    return fail("this is not JSON: " + explain(exception));
  }

  const std::string& message() const { return message_; }

 private:
  bool enter() {
    keys_.emplace_back();
    return keys_.size() <= kMostNesting ||
           fail(fmt::format("this is nested more than {} deep", kMostNesting));
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }
  bool fail(std::string message) {
    message_ = std::move(message);
    return false;
  }

  std::vector<std::set<std::string>> keys_;  // of the objects around the current place
  std::string message_;
};

}  // namespace

Result<json> guarded_json(std::string_view text) {
  Guard guard;
  if (!json::sax_parse(text, &guard)) return Error{guard.message(), ""};
  return json::parse(text);
}

}  // namespace clew
