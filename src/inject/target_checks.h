// What a target file asks for, held against what there is: folders, programs, users, names. The
// Errors do not say where in the file they are: whoever reads it adds that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "inject/failure.h"
#include "inject/target.h"

namespace clew::inject {

// "did you mean `node`? Here may stand: command, name, ...": what is allowed, and what is near it.
std::string remedy_for_word(std::string_view word, const std::vector<std::string>& allowed);

// Absolute, without `.`, `..` and a `/` at its end; what is relative is below `folder`.
std::string absolute_path(const std::string& path, const std::string& folder);

Status check_folder(const std::string& path);
// No state may lie in another one, or be all of the disk.
Status check_state(const std::string& path, const std::vector<std::string>& others);
Status check_spec(const std::string& path);
Status check_user(const std::string& name);

// The program of a command, by its absolute path: with a `/` below `folder`, else in the folders of
// `search` (as in PATH).
Result<std::string> find_program(const std::string& word, const std::string& folder,
                                 const std::string& search);
bool sets_user_id(const std::string& program);

// "crash", "error", "short", ...: as Kinds has them.
const std::vector<std::string>& kind_words();
bool& kind_called(Kinds& kinds, std::string_view word);  // requires one of them
Result<int> check_error_name(const std::string& name);
// A pattern of a filter that no call can match is a mistake.
Status check_call_pattern(const std::string& pattern);

// With * and ?.
bool is_pattern(std::string_view text);
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace clew::inject
