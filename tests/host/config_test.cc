#include "host/config.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/files.h"

namespace clew::host {
namespace {

constexpr const char* kFine = R"(secret = "cluster.secret"
[nodes.a]
peers = 7101
clients = "127.0.0.1:7201"
data = "data/a"
[nodes.b]
peers = "[::1]:7102"
clients = "localhost:7202"
data = "/data/b"
)";

// example: src/host/config.h
TEST(Config, IsReadFromAFile) {
  const std::string path = testing::TempDir() + "/clew-config";
  ASSERT_TRUE(write_file_atomically(path, kFine).ok());
  const auto read_config = [&](const std::string&) { return host::read_config(path); };
  Result<Config> config = read_config("cluster.toml");
  EXPECT_TRUE(config.ok());
  ::unlink(path.c_str());
}

TEST(Config, IsRead) {
  const Result<Config> config = parse_config(std::string(kFine) + R"([limits]
frame = "64KiB"
queue = "1MiB"
memory = "8MiB"
clients = 10
pipeline = 3
)",
                                             "somewhere/cluster.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->secret_file, "somewhere/cluster.secret");
  EXPECT_EQ(config->nodes.at("a").peers.text(), "127.0.0.1:7101");
  EXPECT_EQ(config->nodes.at("b").peers.text(), "[::1]:7102");
  EXPECT_EQ(config->nodes.at("b").clients.text(), "127.0.0.1:7202");
  EXPECT_EQ(config->nodes.at("a").data, "somewhere/data/a");
  EXPECT_EQ(config->nodes.at("b").data, "/data/b");
  EXPECT_EQ(
      config->limits,
      (Limits{.frame = 65536, .clients = 10, .queue = 1 << 20, .memory = 8 << 20, .pipeline = 3}));
}

// {what is put in the place of what, the message with its place}
TEST(Config, SaysWhatIsWrong) {
  struct Case {
    std::string what, by, message;
  };
  const std::vector<Case> cases = {
      {"secret =", "sekret =",
       "c.toml:1:1: a config has no key `sekret`\n    sekret = \"cluster.secret\"\n    ^"},
      {"data = \"data/a\"", "", "c.toml:2:1: nodes.a needs the key `clients`"},
      {"peers = 7101", "peers = 0",
       "c.toml:3:9: peers has the port 0\n    peers = 0\n            ^"},
      {"peers = 7101", "peers = 70000", "c.toml:3:9: \"70000\" is no address"},
      {"peers = 7101", "peers = true", "c.toml:3:9: peers must be a text that is not empty"},
      {"localhost", "example.org", "c.toml:8:11: \"example.org:7202\" is no address"},
      {"7101", "7201", "c.toml:2:1: nodes.a shares 127.0.0.1:7201 with itself"},
      {"/data/b", "data/a", "c.toml:6:1: nodes.b shares data/a with a"},
      {"[nodes.b]", "[nodes.b", "c.toml:6:9: "},
      {"/data/b\"", "/data/b\"\n[limits]\nframe = \"7\"", "c.toml:11:9: frame must be a size"},
      {"/data/b\"", "/data/b\"\n[limits]\nframe = \"2GiB\"", "c.toml:11:9: frame must be a size"},
      {"/data/b\"", "/data/b\"\n[limits]\nclients = 0",
       "c.toml:11:11: clients must be a number from 1 to 100000"},
      {"/data/b\"", "/data/b\"\n[limits]\nqueue = \"8KiB\"",
       "c.toml:10:1: limits: queue and memory must each have room for a frame"},
  };
  for (const Case& one : cases) {
    std::string text = kFine;
    if (one.what == "data = \"data/a\"") {
      text.replace(text.find("clients"), std::string("clients = \"127.0.0.1:7201\"").size(), "");
    } else {
      text.replace(text.find(one.what), one.what.size(), one.by);
    }
    const Result<Config> config = parse_config(text, "c.toml");
    ASSERT_FALSE(config.ok()) << text;
    EXPECT_TRUE(config.error().message.starts_with(one.message)) << config.error().message;
    EXPECT_FALSE(config.error().remedy.empty());
  }
  EXPECT_FALSE(parse_config("", "c.toml").ok());
  EXPECT_FALSE(parse_config("nodes = 3", "c.toml").ok());
  EXPECT_FALSE(parse_config("[nodes]", "c.toml").ok());
}

TEST(Config, HasTheNodesOfTheSource) {
  const Result<Config> config = parse_config(kFine, "c.toml");
  EXPECT_TRUE(check_nodes(*config, {"b", "a"}, "c.toml").ok());
  EXPECT_EQ(check_nodes(*config, {"a", "b", "c"}, "c.toml").error().message,
            "c.toml does not say where c is");
  EXPECT_EQ(check_nodes(*config, {"a"}, "c.toml").error().message,
            "c.toml has a node b, which the source does not have");
}

TEST(Config, SecretsAreSecret) {
  const std::string path = testing::TempDir() + "/clew-secret";
  ASSERT_TRUE(write_file_atomically(path, "a secret that is long enough\n").ok());
  const Config config{.secret_file = path};
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(*read_secret(config), "a secret that is long enough");
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  EXPECT_EQ(read_secret(config).error().message, "others may read the secret in " + path);
  ASSERT_TRUE(write_file_atomically(path, "short\n").ok());
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  EXPECT_EQ(read_secret(config).error().message, "the secret has 5 bytes, which is too few");
  ASSERT_EQ(::unlink(path.c_str()), 0);
  EXPECT_FALSE(read_secret(config).ok());
  ::setenv("CLEW_SECRET", "of the environment", 1);
  EXPECT_EQ(*read_secret({}), "of the environment");
  ::unsetenv("CLEW_SECRET");
  EXPECT_FALSE(read_secret({}).ok());
}

TEST(Address, IsRead) {
  for (const char* text : {"127.0.0.1:1", "[::1]:65535", "0.0.0.0:80"}) {
    EXPECT_EQ(parse_address(text)->text(), text);
  }
  EXPECT_EQ(parse_address("80")->text(), "127.0.0.1:80");
  for (const char* text : {"", ":", "a:1", "1.2.3:4", "::1:80", "[::1]", "1:2:3", "65536", "-1",
                           "80x", "127.0.0.1:"}) {
    EXPECT_FALSE(parse_address(text).ok()) << text;
  }
}

}  // namespace
}  // namespace clew::host
