// Hosts in threads of a test.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "host/client.h"
#include "host/host.h"
#include "host/timers.h"
#include "tests/host/memory_store.h"
#include "tests/host/register.h"

namespace clew::host {

inline constexpr const char* kTestSecret = "a secret of sixteen bytes or more";
inline constexpr std::chrono::milliseconds kTestPatience{20'000};  // for what has to come

// Ports that nobody listens at just now.
inline Config free_places(const node::Names& names) {
  Config config;
  std::vector<Descriptor> taken;
  const auto port = [&] {
    Result<Descriptor> listener = listen_on({});
    const uint16_t number = port_of(*listener);
    taken.push_back(std::move(*listener));
    return number;
  };
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string name = names.name(Id{static_cast<uint8_t>(i)});
    config.nodes[name] = {.peers = {.port = port()}, .clients = {.port = port()}, .data = name};
  }
  return config;
}

// Where lines go that nobody reads.
inline int no_lines() {
  static const int descriptor = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  return descriptor;
}

template <class N = Register>
Host::Setup setup_of(const node::Names& names, const std::string& name, const Config& config,
                     std::shared_ptr<MemoryDisk> disk) {
  return {.node = std::make_unique<N>(),
          .names = names,
          .self = *names.find(name),
          .config = config,
          .secret = kTestSecret,
          .store = std::make_unique<MemoryStore>(std::move(disk)),
          .patience = std::chrono::milliseconds(300),
          .lines = no_lines()};
}

// From here to the end of the scope.
class Running {
 public:
  explicit Running(Host::Setup setup) {
    clients_ = setup.config.nodes.at(setup.names.name(setup.self)).clients;
    Result<std::unique_ptr<Host>> host = Host::open(std::move(setup));
    EXPECT_TRUE(host.ok()) << (host.ok() ? "" : host.error().message);
    if (!host.ok()) return;
    host_ = std::move(*host);
    thread_ = std::thread([this] { end_ = host_->run(); });
  }
  ~Running() { static_cast<void>(stop()); }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

  Host::End stop() {
    if (host_ != nullptr) host_->stop();
    return join();
  }
  Host::End join() {
    if (thread_.joinable()) thread_.join();
    return end_;
  }
  const Address& clients() const { return clients_; }
  Caller caller() const {
    Result<Caller> caller = Caller::connect(clients_, kTestPatience);
    EXPECT_TRUE(caller.ok());
    return std::move(*caller);
  }
  // Once it has been stopped.
  uint64_t counter(const std::string& name) const {
    const std::string text = host_->metrics();
    const size_t at = text.find("\nclew_host_" + name + "{");
    EXPECT_NE(at, std::string::npos) << name;
    return std::stoull(text.substr(text.find("} ", at) + 2));
  }

 private:
  Address clients_;
  std::unique_ptr<Host> host_;
  std::thread thread_;
  Host::End end_;
};

inline std::string ask_text(Caller& caller, const std::string& text) {
  const Result<std::string> reply = caller.ask_text(text, kTestPatience);
  return reply.ok() ? *reply : "error: " + reply.error().message;
}

}  // namespace clew::host
