// Which failures make sense at a point.
#include <algorithm>
#include <cerrno>
#include <optional>

#include "inject/failure.h"

namespace clew::inject {

namespace {

using ObjectKind = Object::Kind;

constexpr int kOfDisks[] = {EIO, ENOSPC, EROFS, EDQUOT, EFBIG};
constexpr int kOfConnections[] = {ECONNRESET,   ECONNREFUSED, ECONNABORTED, ETIMEDOUT, ENOTCONN,
                                  EHOSTUNREACH, ENETUNREACH,  ENETDOWN,     ENETRESET};
constexpr int kOfStreams[] = {ECONNRESET, ECONNABORTED, ETIMEDOUT, ENOTCONN, ENETRESET, EPIPE};

bool is_one_of(int error, std::span<const int> errors) {
  return std::ranges::find(errors, error) != errors.end();
}

// Whether what `read` or `write` may return comes from such an object.
bool gives(ObjectKind kind, int error) {
  const bool disk = is_one_of(error, kOfDisks);
  const bool connection = is_one_of(error, kOfConnections);
  switch (kind) {
    case ObjectKind::kFile:
    case ObjectKind::kFolder:
      return !connection && error != EPIPE;
    case ObjectKind::kSocket:
      return !disk;
    case ObjectKind::kDatagrams:  // have no connection that could end
      return !disk && !is_one_of(error, kOfStreams);
    case ObjectKind::kPipe:
      return !disk && !connection;
    case ObjectKind::kOutput:  // goes to a file or a pipe
      return !connection;
    default:
      return true;
  }
}

const CallRow* row_of(const Point& point) {
  for (const CallRow& row : all_calls()) {
    if (row.name == point.call) return &row;
  }
  return nullptr;
}

std::vector<int> errors_at(const Point& point, const CallRow& row, const Kinds& kinds) {
  std::vector<int> errors;
  for (const int error : row.errors) {
    if (!gives(point.object.kind, error)) continue;
    if (kinds.errors.empty() ? errors.size() < kinds.most_errors : is_one_of(error, kinds.errors)) {
      errors.push_back(error);
    }
  }
  return errors;
}

// Collects failures of one point.
struct Offer {
  const Point& point;
  Failure failure;
  std::vector<Failure> failures{};

  void add(Effect effect, bool fits) {
    if (!fits) return;
    failure.effect = effect;
    failures.push_back(failure);
  }

  void add_errors(const std::vector<int>& errors, bool lasting) {
    for (const int error : errors) {
      failures.push_back(failure);
      failures.back().effect = Effect::kError;
      failures.back().error = error;
      failures.back().lasting = lasting;
    }
  }

  void add_transfers(const Kinds& kinds, Io io) {
    const bool moves = io == Io::kRead || io == Io::kWrite || io == Io::kSend || io == Io::kReceive;
    const bool file = point.object.kind == ObjectKind::kFile;
    add(Effect::kShort, kinds.short_io && moves && point.object.kind != ObjectKind::kDatagrams);
    add(Effect::kTorn, kinds.torn && io == Io::kWrite && file);
    add(Effect::kCorrupt, kinds.corrupt && (io == Io::kRead || io == Io::kWrite) && file);
  }

  void add_crashes(const Kinds& kinds, Io io) {
    add(Effect::kCrashBefore, kinds.crash);
    add(Effect::kCrashAfter, kinds.crash && io != Io::kRead && io != Io::kClose);
  }

  void add_network(const Kinds& kinds, Io io) {
    const bool stream = point.object.kind == ObjectKind::kSocket;
    const bool datagrams = point.object.kind == ObjectKind::kDatagrams;
    if (!stream && !datagrams) return;
    const bool sends = io == Io::kSend || io == Io::kWrite;
    const bool uses = sends || io == Io::kReceive || io == Io::kRead;
    add(Effect::kReset, kinds.reset && uses && stream);
    add(Effect::kTimeout, kinds.timeout && (uses || io == Io::kConnect) && stream);
    add(Effect::kCut, kinds.cut && (uses || io == Io::kConnect));
    add(Effect::kDrop, kinds.drop && sends && datagrams);
  }
};

}  // namespace

std::vector<Failure> failures_at(const Point& point, uint32_t occurrence, const Kinds& kinds) {
  const CallRow* const row = row_of(point);
  if (row == nullptr) return {};
  if (row->errors.empty() && row->io != Io::kSync) return {};  // sync() returns nothing
  Offer offer{point, {.point = point.id(), .occurrence = occurrence}};
  const std::vector<int> errors = errors_at(point, *row, kinds);
  if (kinds.error) offer.add_errors(errors, false);
  if (kinds.lasting && point.object.kind != ObjectKind::kNone) offer.add_errors(errors, true);
  offer.add_transfers(kinds, point.io);
  offer.add_crashes(kinds, point.io);
  offer.add_network(kinds, point.io);
  return offer.failures;
}

}  // namespace clew::inject
