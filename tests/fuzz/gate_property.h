// What must be true of all code that is searched for places to patch, and of all that a process may
// write into the memory that it shares with the tracer.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "inject/surface/gate_ring.h"
#include "inject/surface/gate_sites.h"

namespace clew::inject {

// How many places there are.
inline size_t check_gate_sites_property(std::string_view code) {
  const std::vector<GateSite> sites = gate_sites(code);
  size_t end = 0;
  for (const GateSite& site : sites) {
    CHECK(may_pass(site.call));
    CHECK(site.at >= end, "two places overlap");
    CHECK(site.at + site.size <= site.call_at);
    CHECK(site.call_at + 8 <= code.size());
    CHECK(code.substr(site.call_at, 2) == "\x0f\x05");
    end = site.call_at + 2;
    if (site.pad == 0) {
      CHECK(site.size == 5);
      continue;
    }
    CHECK(site.size == 2 && site.pad > site.call_at && site.pad + 5 <= code.size());
    CHECK(site.pad - site.at - 2 < 128, "too far for a short jump");
  }
  return sites.size();
}

// How many calls are read before damage is found. The bytes: head, tail, then slots.
inline size_t check_gate_ring_property(std::string_view bytes) {
  constexpr uint64_t kOffered = 8;
  const auto lane = std::make_unique<GateLane>();
  uint64_t numbers[2] = {};
  std::memcpy(numbers, bytes.data(), std::min(bytes.size(), sizeof numbers));
  bytes.remove_prefix(std::min(bytes.size(), sizeof numbers));
  lane->head = numbers[0];
  RingReader reader{.tail = numbers[1]};
  const size_t size = std::min(bytes.size(), sizeof lane->ring);
  if (size > 0) std::memcpy(static_cast<void*>(lane->ring), bytes.data(), size);
  std::vector<RingNews> news;
  const auto is_offered = [](uint64_t number) { return number >= 1 && number <= kOffered; };
  read_ring(*lane, is_offered, reader, news);
  CHECK(news.size() <= kGateSlots + 1);
  CHECK(reader.is_damaged || lane->head - reader.tail <= 1);
  size_t read = 0;
  for (const RingNews& one : news) {
    if (one.what == RingNews::What::kDamaged) break;
    CHECK(is_offered(one.number));
    ++read;
  }
  const size_t before = news.size();
  read_ring(*lane, is_offered, reader, news);
  CHECK(news.size() == before, "the same is told twice");
  return read;
}

}  // namespace clew::inject
