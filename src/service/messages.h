// Which call sent what another one receives, in one run, as far as calls tell: for pictures.
//
//   const std::map<uint32_t, uint32_t> sent_by = find_messages(seen);
//   sent_by.at(7);          // the happening that sent the last of what happening 7 receives
//
// What a node sends to another one arrives in this order, byte by byte, until one of them closes
// its end or is gone. Several connections between the same two are taken for one. A call is where
// it began: who waits for a message comes before the one that sends it.
#pragma once

#include <cstdint>
#include <map>

#include "inject/observed.h"

namespace clew::service {

std::map<uint32_t, uint32_t> find_messages(const inject::Observed& seen);

}  // namespace clew::service
