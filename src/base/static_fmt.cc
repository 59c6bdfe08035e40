// The code of fmt, for programs that do not load it: CLEW_STATIC.
#include <fmt/format-inl.h>

template auto fmt::detail::decimal_point_impl<char>(locale_ref) -> char;
template auto fmt::detail::thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
