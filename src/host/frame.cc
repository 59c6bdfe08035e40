#include "host/frame.h"

namespace clew::host {

namespace {

uint32_t little_endian(std::string_view four) {
  uint32_t number = 0;
  for (size_t i = 4; i > 0; --i) number = (number << 8U) | static_cast<uint8_t>(four[i - 1]);
  return number;
}

void put_little_endian(uint32_t number, char* four) {
  for (size_t i = 0; i < 4; ++i) four[i] = static_cast<char>(static_cast<uint8_t>(number >> 8 * i));
}

}  // namespace

void FrameReader::feed(std::string_view bytes) {
  in_kept_ = held() > 0;
  if (in_kept_) {
    kept_ += bytes;
    bytes_ = std::string_view(kept_).substr(given_);
  } else {
    bytes_ = bytes;
  }
}

std::optional<std::string_view> FrameReader::next() {
  if (failed_ || bytes_.size() < kFrameHead) return std::nullopt;
  const uint32_t size = little_endian(bytes_.substr(0, kFrameHead));
  if (size > most_) {
    failed_ = true;
    return std::nullopt;
  }
  if (bytes_.size() - kFrameHead < size) return std::nullopt;
  const std::string_view body = bytes_.substr(kFrameHead, size);
  bytes_.remove_prefix(kFrameHead + size);
  return body;
}

void FrameReader::keep() {
  if (!in_kept_) {
    kept_ = bytes_;
    given_ = 0;
  } else if (bytes_.empty()) {
    kept_ = std::string();  // and its memory
    given_ = 0;
  } else {
    given_ = kept_.size() - bytes_.size();
    if (given_ > bytes_.size()) kept_.erase(0, given_), given_ = 0;
  }
  bytes_ = {};
  in_kept_ = false;
}

bool FrameReader::has_whole() const {
  const std::string_view left = std::string_view(kept_).substr(given_);
  return left.size() >= kFrameHead && left.size() >= frame_size(left);
}

size_t begin_frame(std::string& out) {
  out.append(kFrameHead, '\0');
  return out.size() - kFrameHead;
}

void end_frame(std::string& out, size_t begin) {
  put_little_endian(static_cast<uint32_t>(out.size() - begin - kFrameHead), &out[begin]);
}

size_t frame_size(std::string_view frames) {
  return kFrameHead + little_endian(frames.substr(0, kFrameHead));
}

void put_envelope(std::string& out, uint64_t number, const std::vector<std::string>& messages) {
  const size_t begin = begin_frame(out);
  out += static_cast<char>(PeerKind::kEnvelope);
  node::encode_number(number, out);
  node::encode_number(messages.size(), out);
  for (const std::string& message : messages) {
    node::encode_number(message.size(), out);
    out += message;
  }
  end_frame(out, begin);
}

void put_answer(std::string& out, node::RequestId request, std::string_view reply) {
  const size_t begin = begin_frame(out);
  out += static_cast<char>(PeerKind::kAnswer);
  node::encode_number(request.client, out);
  node::encode_number(request.number, out);
  out += reply;
  end_frame(out, begin);
}

namespace {

bool parse_envelope(node::Reader& in, PeerFrame& frame) {
  frame.number = in.number();
  const uint64_t count = in.number();
  frame.messages.clear();
  if (count == 0 || count > in.left()) return false;  // each has its length, at least
  for (uint64_t i = 0; i < count && !in.failed(); ++i) {
    frame.messages.push_back(in.take(in.number()));
  }
  return in.done();
}

bool parse_answer(node::Reader& in, PeerFrame& frame) {
  const uint64_t client = in.number(), number = in.number();
  if (in.failed() || client > UINT32_MAX || number > UINT32_MAX) return false;
  frame.request = {static_cast<uint32_t>(client), static_cast<uint32_t>(number)};
  frame.reply = in.take(in.left());
  return true;
}

}  // namespace

bool parse_peer_frame(std::string_view body, PeerFrame& frame) {
  node::Reader in(body);
  const uint8_t kind = in.byte();
  frame.kind = static_cast<PeerKind>(kind);
  switch (frame.kind) {
    case PeerKind::kEnvelope:
      return parse_envelope(in, frame);
    case PeerKind::kAnswer:
      return parse_answer(in, frame);
  }
  return false;
}

void put_client_frame(std::string& out, const ClientFrame& frame) {
  const size_t begin = begin_frame(out);
  out += static_cast<char>(frame.kind);
  out.append(4, '\0');
  put_little_endian(frame.number, &out[out.size() - 4]);
  out += frame.bytes;
  end_frame(out, begin);
}

std::optional<ClientFrame> parse_client_frame(std::string_view body) {
  constexpr size_t kHead = 5;
  if (body.size() < kHead) return std::nullopt;
  const auto kind = static_cast<uint8_t>(body[0]);
  if (kind < 1 || kind > 3) return std::nullopt;
  return ClientFrame{static_cast<ClientKind>(kind), little_endian(body.substr(1, 4)),
                     body.substr(kHead)};
}

}  // namespace clew::host
