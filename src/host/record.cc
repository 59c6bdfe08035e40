#include "host/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>
#include <numeric>

#include "base/crc32c.h"
#include "base/descriptor.h"
#include "base/files.h"

namespace clew::host {

namespace {

constexpr std::string_view kPartMagic = "CLWr";
constexpr size_t kPartPrefix = 12;        // the magic, the checksum and the size of what follows
constexpr size_t kFewBytes = 64U << 10U;  // bytes of all fields
constexpr size_t kMostShown = 4096;       // bytes of a field
constexpr uint64_t kMostRecorded = uint64_t{4} << 30U;  // of a file

using Part = std::variant<RecordedLife, RecordedTurn>;

void put_u32(std::string& out, uint32_t number) {
  for (unsigned i = 0; i < 4; ++i) out.push_back(static_cast<char>(number >> (8 * i)));
}

uint32_t get_u32(std::string_view bytes, size_t at) {
  uint32_t number = 0;
  for (unsigned i = 0; i < 4; ++i) {
    number |= uint32_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return number;
}

std::string to_bytes(const Part& part) {
  const std::string payload = node::encode(part);
  CHECK(payload.size() <= std::numeric_limits<uint32_t>::max(), "a turn of {} bytes",
        payload.size());
  std::string bytes(kPartMagic);
  put_u32(bytes, crc32c(payload));
  put_u32(bytes, static_cast<uint32_t>(payload.size()));
  return bytes + payload;
}

// The payload of the part that begins here, if it is whole.
std::optional<std::string_view> part_at(std::string_view bytes, size_t at) {
  if (bytes.size() - at < kPartPrefix || bytes.substr(at, 4) != kPartMagic) return std::nullopt;
  const uint32_t size = get_u32(bytes, at + 8);
  if (size > bytes.size() - at - kPartPrefix) return std::nullopt;
  const std::string_view payload = bytes.substr(at + kPartPrefix, size);
  if (crc32c(payload) != get_u32(bytes, at + 4)) return std::nullopt;
  return payload;
}

Error damaged(size_t at, const std::string& what) {
  return {fmt::format("byte {} of the recording: {}", at, what),
          "use a copy of the file as the node has left it, with the version of Clew that wrote it"};
}

// Adds what is read; false if it does not fit to what comes before.
bool add(Part part, Recording& recording) {
  if (auto* life = std::get_if<RecordedLife>(&part)) {
    const bool is_first = recording.lives.empty();
    if (life->version != kRecordingVersion || !life->turns.empty() ||
        life->self.number >= life->names.size()) {
      return false;
    }
    if (!is_first && (life->self != recording.lives.front().self ||
                      life->names != recording.lives.front().names)) {
      return false;
    }
    recording.lives.push_back(std::move(*life));
    return true;
  }
  auto& turn = std::get<RecordedTurn>(part);
  if (recording.lives.empty() || turn.steps.empty()) return false;
  const RecordedLife& life = recording.lives.back();
  const bool is_first = life.turns.empty();
  const auto fits = [&](const RecordedStep& step) {
    const auto kind = static_cast<Input::Kind>(step.kind);
    return step.kind <= static_cast<uint8_t>(Input::Kind::kTimer) &&
           step.envelope.has_value() == (kind == Input::Kind::kEnvelope) &&
           step.request.has_value() == (kind == Input::Kind::kRequest) &&
           std::ranges::all_of(step.updates, [&](const RecordedUpdate& update) {
             return update.field < life.fields.size();
           });
  };
  if (!std::ranges::all_of(turn.steps, fits)) return false;
  const RecordedTurn* before = is_first ? nullptr : &life.turns.back();
  const uint64_t first = is_first ? 0 : before->first + before->steps.size();
  if (turn.first != first || (!is_first && turn.incarnation != before->incarnation)) return false;
  recording.lives.back().turns.push_back(std::move(turn));
  return true;
}

// How many bytes from the front are whole.
Result<size_t> read_parts(std::string_view bytes, Recording& recording) {
  size_t at = 0;
  while (at < bytes.size()) {
    const std::optional<std::string_view> payload = part_at(bytes, at);
    if (!payload) break;
    std::optional<Part> part = node::decode<Part>(*payload);
    if (!part || !add(*std::move(part), recording)) {
      return damaged(at, "what stands here is no part of a recording of this node");
    }
    at += kPartPrefix + payload->size();
  }
  if (at == bytes.size()) return at;
  for (size_t later = bytes.find(kPartMagic, at + 1); later != std::string_view::npos;
       later = bytes.find(kPartMagic, later + 1)) {
    if (part_at(bytes, later)) return damaged(at, "it is damaged here, and goes on later");
  }
  recording.cut = true;
  return at;
}

int64_t monotonic_time() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

class FileRecorder : public Recorder {
 public:
  FileRecorder(Descriptor file, std::string path, const node::AnyNode& node,
               std::function<int64_t()> clock)
      : file_(std::move(file)), path_(std::move(path)), clock_(std::move(clock)) {
    for (const node::AnyField* field : node.fields()) {
      const std::string bytes = value_of(*field);
      checksums_.push_back(crc32c(bytes));
      sizes_.push_back(bytes.size());
    }
  }

  void record(uint64_t incarnation, uint64_t step, const Input& input, const Outcome& outcome,
              const node::AnyNode& after) override {
    RecordedStep recorded = of_input(input);
    recorded.random = outcome.random;
    for (const Outcome::Envelope& sent : outcome.sent) {
      recorded.sent.push_back({sent.to, incarnation, sent.number, sent.messages});
    }
    for (const Outcome::Answer& answer : outcome.answered) {
      recorded.answered.push_back({answer.request, answer.bytes});
    }
    for (const Outcome::TimerChange& change : outcome.timers) {
      recorded.timers.push_back({change.name, {}});
      if (change.after) recorded.timers.back().after = change.after->count();
    }
    recorded.synced = outcome.synced;
    add_updates(after, input.kind == Input::Kind::kStart, recorded);
    add(incarnation, step, std::move(recorded));
  }
  void record_failure(uint64_t incarnation, uint64_t step, const Input& input,
                      const std::string& why) override {
    RecordedStep recorded = of_input(input);
    recorded.failure = why;
    add(incarnation, step, std::move(recorded));
  }
  Status flush() override {
    if (turn_.steps.empty()) return Nothing{};
    turn_.time = clock_();
    return write(to_bytes(std::exchange(turn_, {})));
  }
  Status write(std::string_view bytes) {
    if (write_all(file_.number(), bytes)) return Nothing{};
    const int code = errno;
    return Error{fmt::format("cannot write the recording {}: {}", path_, why_not(code)),
                 remedy_for(code)};
  }

 private:
  static RecordedStep of_input(const Input& input) {
    RecordedStep step;
    step.kind = static_cast<uint8_t>(input.kind);
    for (const Kept& kept : input.recovered) step.recovered.push_back({kept.field, kept.bytes});
    if (input.kind == Input::Kind::kEnvelope) {
      step.envelope = RecordedEnvelope{input.from,
                                       input.incarnation,
                                       input.number,
                                       {input.messages.begin(), input.messages.end()}};
    }
    if (input.kind == Input::Kind::kRequest) {
      step.request = RecordedRequest{input.request, std::string(input.bytes)};
    }
    step.timer = input.timer;
    return step;
  }

  void add(uint64_t incarnation, uint64_t number, RecordedStep step) {
    if (turn_.steps.empty()) turn_.incarnation = incarnation, turn_.first = number;
    turn_.steps.push_back(std::move(step));
  }

  // A start has all fields besides: they are as recovered. Where the fields are small all are
  // looked at, since one may change that nobody writes to.
  void add_updates(const node::AnyNode& after, bool is_start, RecordedStep& step) {
    constexpr size_t kLastField = 63;
    const uint64_t updates = after.footprint().updates;
    const bool all =
        is_start || std::accumulate(sizes_.begin(), sizes_.end(), size_t{0}) < kFewBytes;
    for (size_t i = 0; i < checksums_.size(); ++i) {
      const bool is_updated = is_start || (updates >> std::min(i, kLastField) & 1U) != 0;
      if (!is_updated && !all) continue;
      std::string bytes = value_of(*after.fields()[i]);
      sizes_[i] = bytes.size();
      checksums_[i] = crc32c(bytes);
      if (!is_updated) continue;
      RecordedUpdate update{static_cast<uint32_t>(i), checksums_[i], {}};
      if (bytes.size() <= kMostShown) update.bytes = std::move(bytes);
      step.updates.push_back(std::move(update));
    }
    step.digest = digest_of(checksums_);
  }

  Descriptor file_;
  std::string path_;
  std::function<int64_t()> clock_;
  std::vector<uint32_t> checksums_;  // by field
  std::vector<size_t> sizes_;
  RecordedTurn turn_;
};

}  // namespace

std::string value_of(const node::AnyField& field) {
  std::string bytes;
  field.encode_value(bytes);
  return bytes;
}

uint32_t digest_of(const std::vector<uint32_t>& checksums) {
  std::string all;
  for (const uint32_t one : checksums) put_u32(all, one);
  return crc32c(all);
}

bool is_recording(std::string_view bytes) { return bytes.starts_with(kPartMagic); }

Result<Recording> read_recording(std::string_view bytes) {
  Recording recording;
  if (const Result<size_t> whole = read_parts(bytes, recording); !whole.ok()) {
    return whole.error();
  }
  if (recording.lives.empty()) return damaged(0, "it is empty, or no recording of clew host");
  return recording;
}

Result<std::unique_ptr<Recorder>> record_to(const std::string& path, const node::Names& names,
                                            Id self, const node::AnyNode& node,
                                            std::function<int64_t()> clock) {
  const auto failed = [&](const std::string& why, const std::string& remedy) {
    return Error{fmt::format("cannot record to {}: {}", path, why), remedy};
  };
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (!file.valid()) return failed(why_not(errno), remedy_for(errno));
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return failed(why_not(errno), remedy_for(errno));
  RecordedLife life;
  life.version = kRecordingVersion;
  life.self = self;
  for (size_t i = 0; i < names.size(); ++i) {
    life.names.push_back(names.name(Id{static_cast<uint8_t>(i)}));
  }
  for (const node::AnyField* field : node.fields()) life.fields.push_back(field->name());
  if (S_ISREG(status.st_mode) && status.st_size > 0) {
    const Result<std::string> bytes = read_file(path, kMostRecorded);
    if (!bytes.ok()) return bytes.error();
    Recording before;
    const Result<size_t> whole = read_parts(*bytes, before);
    const char* remedy = "name another file, or remove this one";
    if (!whole.ok()) return failed(whole.error().message, remedy);
    if (*whole > 0 && (before.lives.empty() || before.lives.front().self != self ||
                       before.lives.front().names != life.names)) {
      return failed("it is the recording of another node", remedy);
    }
    if (*whole == 0 && !is_recording(*bytes)) return failed("it is no recording", remedy);
    if (::ftruncate(file.number(), static_cast<off_t>(*whole)) != 0) {
      return failed(why_not(errno), remedy_for(errno));
    }
  }
  auto recorder = std::make_unique<FileRecorder>(std::move(file), path, node,
                                                 clock ? std::move(clock) : monotonic_time);
  if (const Status status_of = recorder->write(to_bytes(life)); !status_of.ok()) {
    return status_of.error();
  }
  return std::unique_ptr<Recorder>(std::move(recorder));
}

}  // namespace clew::host
