#include "inject/surface/dwarf.h"

#include <fmt/format.h>

#include <algorithm>

#include "inject/surface/dwarf_forms.h"

namespace clew::inject {

namespace {

constexpr int kMostHops = 8;  // from an entry to the one that has its name
constexpr size_t kMostScopes = 16;

bool contains(const std::vector<DwarfUnits::Range>& ranges, uint64_t address) {
  return std::ranges::any_of(ranges, [&](const DwarfUnits::Range& range) {
    return range.first <= address && address < range.second;
  });
}

std::string place_of(const DwarfLines& lines, uint64_t file, uint64_t line) {
  const std::string_view name = lines.file(file);
  if (name.empty()) return {};
  return line == 0 ? fmt::format(" ({})", name) : fmt::format(" ({}:{})", name, line);
}

}  // namespace

Dwarf::Dwarf(const ElfFile& file) : sections_(file), units_(sections_, budget_) {}

size_t Dwarf::bytes() const {
  return sections_.info.size() + sections_.abbrev.size() + sections_.str.size() +
         sections_.line.size() + sections_.line_str.size() + sections_.ranges.size() +
         sections_.rnglists.size() + sections_.addr.size() + sections_.str_offsets.size();
}

void Dwarf::index_units() {
  is_indexed_ = true;
  for (size_t i = 0; i < units_.all().size(); ++i) {
    const DwarfUnit& unit = units_.all()[i];
    ByteReader reader = units_.reader(unit, unit.entries);
    DwarfEntry entry;
    if (!unit.has_code || !units_.read_entry(unit, reader, entry)) continue;
    for (const auto& [begin, end] : units_.ranges(unit, entry)) {
      // What the linker has dropped begins at 0.
      if (begin != 0 && budget_.take(Budget::kStored)) covered_.push_back({begin, end, i});
    }
  }
  std::ranges::stable_sort(covered_, {}, &Covered::begin);
}

const DwarfUnit* Dwarf::find_unit(uint64_t address) {
  if (!is_indexed_) index_units();
  const auto after = std::ranges::upper_bound(covered_, address, {}, &Covered::begin);
  if (after == covered_.begin() || address >= (after - 1)->end) return nullptr;
  return &units_.all()[(after - 1)->unit];
}

std::vector<Dwarf::Scope> Dwarf::read_scopes(const DwarfUnit& unit) {
  std::vector<Scope> scopes;
  ByteReader reader = units_.reader(unit, unit.entries);
  DwarfEntry entry;
  while (!reader.at_end() && units_.read_entry(unit, reader, entry)) {
    if (entry.tag != kTagSubprogram && entry.tag != kTagInlinedSubroutine) continue;
    std::vector<DwarfUnits::Range> ranges = units_.ranges(unit, entry);
    if (ranges.empty() || !budget_.take(Budget::kStored * ranges.size())) continue;
    scopes.push_back({std::move(ranges), entry.offset, entry.values[DwarfEntry::kCallFile].number,
                      entry.values[DwarfEntry::kCallLine].number});
  }
  return scopes;
}

Dwarf::Known& Dwarf::known(const DwarfUnit& unit) {
  std::unique_ptr<Known>& known = known_[unit.begin];
  if (!known) {
    known = std::make_unique<Known>(
        Known{read_scopes(unit), DwarfLines(sections_, units_, unit, budget_)});
  }
  return *known;
}

// Its own, or that of the entry that it was made of. Empty: it has none.
std::string Dwarf::name_of(uint64_t offset) {
  std::string name;
  for (int hop = 0; hop < kMostHops; ++hop) {
    const DwarfUnit* unit = units_.unit_at(offset);
    if (!unit) return name;
    ByteReader reader = units_.reader(*unit, offset);
    DwarfEntry entry;
    if (!units_.read_entry(*unit, reader, entry)) return name;
    const std::string_view linkage = units_.text(*unit, entry.values[DwarfEntry::kLinkageName]);
    std::string plain = plain_function_name(linkage);
    if (plain != linkage) return plain;
    if (name.empty()) name = units_.text(*unit, entry.values[DwarfEntry::kName]);
    const DwarfValue& origin = entry.values[DwarfEntry::kOrigin];
    const std::optional<uint64_t> next = units_.reference(*unit, origin);
    if (!next) return name;
    offset = *next;
  }
  return name;
}

std::vector<std::string> Dwarf::names_at(uint64_t address) {
  const DwarfUnit* unit = find_unit(address);
  if (!unit) return {};
  const Known& known_here = known(*unit);
  std::vector<const Scope*> chain;
  for (const Scope& scope : known_here.scopes) {
    if (contains(scope.ranges, address) && chain.size() < kMostScopes) chain.push_back(&scope);
  }
  const DwarfLines& lines = known_here.lines;
  const DwarfLines::Row* row = lines.at(address);
  std::string place = row ? place_of(lines, row->file, row->line) : std::string();
  std::vector<std::string> names;
  std::ranges::reverse(chain);
  for (const Scope* scope : chain) {
    const std::string name = name_of(scope->entry);
    names.push_back((name.empty() ? "?" : name) + place);
    place = place_of(lines, scope->call_file, scope->call_line);
  }
  return names;
}

}  // namespace clew::inject
