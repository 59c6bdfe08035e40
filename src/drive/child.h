// A process that clew starts: what it is told, what it says, how it ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "explore/program.h"

namespace clew::drive {

class Child {
 public:
  // With nothing to read, and its two outputs as one. Not valid if it cannot be started, which
  // leaves the reason in errno.
  explicit Child(const std::vector<std::string>& command);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();  // kills it, if it has not ended

  bool valid() const { return process_ > 0; }

  // Over the socket that is explore::kQuestions to it.
  void say(const std::string& line);
  // The next line, if one is there by then.
  std::optional<std::string> hear(std::chrono::milliseconds within);
  // It says nothing any more, and all that it has said was heard.
  bool silent() const { return over_ && heard_.find('\n') == std::string::npos; }

  const explore::Page& page() const { return *page_; }  // that is explore::kPage to it
  double processor_seconds() const;
  void signal(int number) const;

  struct Ended {
    bool by_signal = false;
    int code = 0;  // the signal, or what it gave to exit()
  };
  Ended wait();
  // The end of what it has printed.
  const std::string& printed() const { return printed_; }

 private:
  void start(const std::vector<std::string>& command, int socket, int page, int output);
  void read_printed();
  bool read_socket();

  pid_t process_ = -1;
  std::optional<Ended> ended_;
  Descriptor socket_, output_;
  explore::Page* page_ = nullptr;
  bool over_ = false;
  std::string heard_, printed_;
};

}  // namespace clew::drive
