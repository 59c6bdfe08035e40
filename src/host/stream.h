// A connection: frames in, frames out, and never waiting.
//
//   Stream stream(std::move(socket), most_frame, scratch);
//   if (!stream.receive()) ...                         // it has ended; why() says how
//   while (auto body = stream.frames().next()) ...
//   stream.frames().keep();
//   put_answer(stream.out(), request, reply);          // waits in memory
//   if (!stream.send()) ...                            // what the kernel takes is gone
//   stream.waiting()                                   // bytes that it did not take yet
#pragma once

#include <string>
#include <vector>

#include "base/descriptor.h"
#include "host/frame.h"

namespace clew::host {

class Stream {
 public:
  // `scratch` is what all streams of a loop read into; it outlives this.
  Stream(Descriptor socket, size_t most_frame, std::vector<char>& scratch)
      : socket_(std::move(socket)), frames_(most_frame), scratch_(scratch) {}

  int descriptor() const { return socket_.number(); }
  bool open() const { return socket_.valid(); }
  void close() { socket_.close(); }

  // Reads once, at most so many bytes. False once there is nothing more to come. Requires
  // keep() of what was read before.
  bool receive(size_t most = SIZE_MAX);
  FrameReader& frames() { return frames_; }
  const FrameReader& frames() const { return frames_; }
  size_t received() const { return received_; }  // by the last receive()

  std::string& out() { return out_; }
  bool send();
  size_t waiting() const { return out_.size() - sent_; }
  size_t sent() const { return just_sent_; }  // by the last send()

  int error() const { return error_; }  // of the system; 0: the other side has ended it
  std::string why() const;

 private:
  Descriptor socket_;
  FrameReader frames_;
  std::vector<char>& scratch_;
  std::string out_;
  size_t sent_ = 0;  // of `out_`
  size_t received_ = 0, just_sent_ = 0;
  int error_ = 0;
};

}  // namespace clew::host
