#include "analyze/clang.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace clew::analyze {

namespace {

std::string taken(CXString text) {
  const char* letters = clang_getCString(text);
  std::string result = letters == nullptr ? "" : letters;
  clang_disposeString(text);
  return result;
}

struct Spot {
  CXFile file = nullptr;
  unsigned line = 0, column = 0, offset = 0;
};

Spot spot_of(CXSourceLocation location) {
  Spot spot;
  clang_getFileLocation(location, &spot.file, &spot.line, &spot.column, &spot.offset);
  return spot;
}

// How many bits a number has without its sign, and whether it has one.
struct Width {
  int bits = 0;
  bool is_signed = false;
};

std::optional<Width> width_of(CXType type) {
  CXType canonical = clang_getCanonicalType(type);
  if (canonical.kind == CXType_Enum) {
    canonical =
        clang_getCanonicalType(clang_getEnumDeclIntegerType(clang_getTypeDeclaration(canonical)));
  }
  const int bits = static_cast<int>(clang_Type_getSizeOf(canonical)) * 8;
  switch (canonical.kind) {
    case CXType_Bool:
      return Width{1, false};
    case CXType_Char_U:
    case CXType_UChar:
    case CXType_UShort:
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
    case CXType_Char16:
    case CXType_Char32:
      return Width{bits, false};
    case CXType_Char_S:
    case CXType_SChar:
    case CXType_Short:
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
    case CXType_WChar:
      return Width{bits - 1, true};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string Place::text() const { return fmt::format("{}:{}:{}", file, line, column); }

std::string Type::text() const { return taken(clang_getTypeSpelling(type_)); }

bool Type::is_reference() const {
  return type_.kind == CXType_LValueReference || type_.kind == CXType_RValueReference;
}

bool Type::is_number() const { return width_of(type_).has_value(); }

bool Type::holds_all_of(Type other) const {
  const std::optional<Width> mine = width_of(type_), others = width_of(other.type_);
  if (!mine || !others) return false;
  return mine->bits >= others->bits && (mine->is_signed || !others->is_signed);
}

Type Type::bare() const {
  Type inner = canonical();
  while (inner.is_reference() || inner.kind() == CXType_Pointer) {
    inner = inner.pointee().canonical();
  }
  return inner;
}

bool Type::is_like(Type other) const {
  const auto text = [](Type type) {
    const std::string words = type.bare().text();
    return words.starts_with("const ") ? words.substr(6) : words;
  };
  return text(*this) == text(other);
}

std::vector<Type> Type::written_arguments() const {
  std::vector<Type> result;
  const int count = clang_Type_getNumTemplateArguments(type_);
  result.reserve(static_cast<size_t>(std::max(count, 0)));
  for (int i = 0; i < count; ++i) {
    result.emplace_back(clang_Type_getTemplateArgumentAsType(type_, static_cast<unsigned>(i)));
  }
  return result;
}

std::vector<Type> Type::arguments() const { return canonical().written_arguments(); }

std::string Cursor::name() const { return taken(clang_getCursorSpelling(cursor_)); }

std::string Cursor::usr() const { return taken(clang_getCursorUSR(cursor_)); }

std::string Cursor::qualified_name() const {
  const Cursor outer = parent();
  std::string own = name();
  if (kind() == CXCursor_Namespace && own.empty()) own = "(anonymous namespace)";
  const bool is_top = !outer.exists() || clang_isTranslationUnit(outer.kind()) != 0;
  return is_top ? own : outer.qualified_name() + "::" + own;
}

std::vector<Cursor> Cursor::children() const {
  std::vector<Cursor> result;
  clang_visitChildren(
      cursor_,
      [](CXCursor child, CXCursor, CXClientData data) {
        static_cast<std::vector<Cursor>*>(data)->emplace_back(child);
        return CXChildVisit_Continue;
      },
      &result);
  return result;
}

std::vector<Cursor> Cursor::arguments() const {
  std::vector<Cursor> result;
  const int count = clang_Cursor_getNumArguments(cursor_);
  result.reserve(static_cast<size_t>(std::max(count, 0)));
  for (int i = 0; i < count; ++i) {
    result.emplace_back(clang_Cursor_getArgument(cursor_, static_cast<unsigned>(i)));
  }
  return result;
}

std::vector<Cursor> Cursor::overloads() const {
  std::vector<Cursor> result;
  const unsigned count = clang_getNumOverloadedDecls(cursor_);
  for (unsigned i = 0; i < count; ++i) result.emplace_back(clang_getOverloadedDecl(cursor_, i));
  return result;
}

std::optional<int64_t> Cursor::constant() const {
  if (kind() == CXCursor_EnumConstantDecl) return clang_getEnumConstantDeclValue(cursor_);
  CXEvalResult result = clang_Cursor_Evaluate(cursor_);
  if (result == nullptr) return std::nullopt;
  std::optional<int64_t> value;
  if (clang_EvalResult_getKind(result) == CXEval_Int) {
    value = clang_EvalResult_getAsLongLong(result);
  }
  clang_EvalResult_dispose(result);
  return value;
}

Place Cursor::place() const {
  const Spot spot = spot_of(clang_getCursorLocation(cursor_));
  std::string file = taken(clang_getFileName(spot.file));
  const std::string here = std::filesystem::current_path().string() + '/';
  if (file.starts_with(here)) file = file.substr(here.size());
  return {file, spot.line, spot.column};
}

bool Cursor::is_in_system_header() const {
  return clang_Location_isInSystemHeader(clang_getCursorLocation(cursor_)) != 0;
}

unsigned Cursor::begin() const {
  return spot_of(clang_getRangeStart(clang_getCursorExtent(cursor_))).offset;
}

unsigned Cursor::end() const {
  return spot_of(clang_getRangeEnd(clang_getCursorExtent(cursor_))).offset;
}

std::string Cursor::source() const { return source_between(begin(), end()); }

std::string Cursor::source_between(unsigned begin, unsigned end) const {
  const Spot spot = spot_of(clang_getRangeStart(clang_getCursorExtent(cursor_)));
  size_t size = 0;
  const char* text =
      spot.file == nullptr
          ? nullptr
          : clang_getFileContents(clang_Cursor_getTranslationUnit(cursor_), spot.file, &size);
  if (text == nullptr || begin >= end || end > size) return "";
  return {text + begin, text + end};
}

Parsed::Parsed(const std::vector<std::string>& files, const std::vector<std::string>& flags,
               const std::vector<Text>& texts)
    : index_(clang_createIndex(0, 0)) {
  std::vector<const char*> arguments;
  arguments.reserve(flags.size());
  for (const std::string& flag : flags) arguments.push_back(flag.c_str());
  std::vector<CXUnsavedFile> unsaved;
  unsaved.reserve(texts.size());
  for (const Text& text : texts) {
    unsaved.push_back({text.name.c_str(), text.text.c_str(), text.text.size()});
  }
  for (const std::string& file : files) {
    CXTranslationUnit unit = nullptr;
    const CXErrorCode error = clang_parseTranslationUnit2(
        index_, file.c_str(), arguments.data(), static_cast<int>(arguments.size()), unsaved.data(),
        static_cast<unsigned>(unsaved.size()), CXTranslationUnit_None, &unit);
    if (error != CXError_Success || unit == nullptr) {
      failed_ = true;
      complaints_ += file + ": libclang cannot read it\n";
      continue;
    }
    units_.push_back(unit);
    cursors_.emplace_back(clang_getTranslationUnitCursor(unit));
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit); ++i) {
      CXDiagnostic one = clang_getDiagnostic(unit, i);
      if (clang_getDiagnosticSeverity(one) >= CXDiagnostic_Error) {
        failed_ = true;
        complaints_ +=
            taken(clang_formatDiagnostic(one, clang_defaultDiagnosticDisplayOptions())) + '\n';
      }
      clang_disposeDiagnostic(one);
    }
  }
}

Parsed::~Parsed() {
  for (CXTranslationUnit unit : units_) clang_disposeTranslationUnit(unit);
  clang_disposeIndex(index_);
}

}  // namespace clew::analyze
