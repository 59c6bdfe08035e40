#include "service/coverage.h"

#include <algorithm>
#include <iterator>

namespace clew::service {

namespace {

using Shown = Search::Item::Shown;

std::vector<uint32_t> sorted(std::vector<uint32_t> sites) {
  std::ranges::sort(sites);
  return sites;
}

// What came by after this site in a run, or, if the run does not show it, nothing.
std::vector<uint32_t> shown_after(const Shown& shown, uint32_t site) {
  const auto at = std::ranges::find(shown.sites, site);
  if (at == shown.sites.end()) return {};
  return sorted({at + 1, shown.sites.end()});
}

void keep_common(std::vector<uint32_t>& sites, const std::vector<uint32_t>& others) {
  std::vector<uint32_t> common;
  std::ranges::set_intersection(sites, others, std::back_inserter(common));
  sites = std::move(common);
}

}  // namespace

std::vector<uint32_t> sites_never_reached(const Known& known, const Search& search,
                                          uint32_t number) {
  const Search::Item& item = search.item(number);
  if (number == 0 || item.state != Search::State::kTried || item.shown.size() < 2) return {};
  const std::vector<uint32_t> shown = sorted(item.shown.front().sites);
  for (const Shown& again : item.shown) {
    if (sorted(again.sites) != shown) return {};
  }
  const std::vector<Shown>& before = search.item(item.parent).shown;
  if (before.empty()) return {};
  const uint32_t site = known.site_of(item.last);
  std::vector<uint32_t> expected = shown_after(before.front(), site);
  for (const Shown& again : before) keep_common(expected, shown_after(again, site));
  std::vector<uint32_t> gone;
  std::ranges::set_difference(expected, shown, std::back_inserter(gone));
  return gone;
}

void Coverage::add(const Search& search, uint32_t number) {
  for (const uint32_t site : sites_never_reached(known_, search, number)) {
    for (const uint32_t failure : known_.failures_at(site)) {
      if (covered_.size() >= kMost) return;
      covered_.insert(with(search.item(number).combination, failure));
    }
  }
}

size_t Coverage::count(const Search& search, size_t failures) const {
  return static_cast<size_t>(std::ranges::count_if(covered_, [&](const Combination& one) {
    return one.size() == failures && !search.find(one);
  }));
}

}  // namespace clew::service
