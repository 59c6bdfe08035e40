// Who is where, and how much of everything: cluster.toml (docs/host.md), the same file for all
// nodes.
//
//   secret = "cluster.secret"          # a file that only its owner may read
//
//   [nodes.a]
//   peers = 7101                       # a port of this machine, or "10.0.0.1:7101"
//   clients = 7201
//   data = "data/a"
//
//   [limits]
//   frame = "1MiB"
//
//   Result<Config> config = read_config("cluster.toml");
//
// An Error shows the line, with a caret below what is wrong, and says what to do.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "host/socket.h"
#include "node/id.h"

namespace clew::host {

struct Limits {
  uint64_t frame = uint64_t{1} << 20U;     // bytes of one envelope, request or reply
  uint64_t clients = 1000;                 // connections
  uint64_t queue = uint64_t{16} << 20U;    // bytes that wait for one peer
  uint64_t memory = uint64_t{256} << 20U;  // bytes that clients have sent or are sent, all together
  uint64_t pipeline = 1;                   // requests of one connection that wait for an answer

  friend bool operator==(const Limits&, const Limits&) = default;
};

struct Config {
  struct Node {
    Address peers, clients;
    std::string data;  // folder

    friend bool operator==(const Node&, const Node&) = default;
  };

  std::map<std::string, Node> nodes{};
  std::string secret_file{};  // empty: the environment has it
  Limits limits{};
};

// Relative paths begin at the folder of the file.
Result<Config> read_config(const std::string& path);
Result<Config> parse_config(std::string_view text, const std::string& path);

// The node of this name; an Error says which there are.
Result<Config::Node> find_node(const Config& config, const std::string& name,
                               const std::string& path);

// That the config has these nodes and no others.
Status check_nodes(const Config& config, const node::Names& names, const std::string& path);

// From the file that the config names, or from CLEW_SECRET.
Result<std::string> read_secret(const Config& config);

}  // namespace clew::host
