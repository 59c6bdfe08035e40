// A file is written to three nodes through a pipeline: the client sends it to the first, which
// sends it on to the second, and that one to the third. Whatever goes wrong, the client asks the
// master for nodes again.
//
//   pipeline [--mended] master PORT NODE...     gives out nodes; NODE is a name and a port: d1:7001
//   pipeline datanode NODE FOLDER               keeps files in FOLDER
//   pipeline write MASTER_PORT FILE...          is a client: writes files of these names
//   pipeline list FOLDER...                prints `NODE has FILE`, by the names of the folders
//
// The client tells the master whom it cannot reach:
//
//   client > master   nodes? d1           (without d1)
//   master > client   d2:7002 d3:7003
//   client > d2       write f1 d3:7003    (and on from there)
//   d2 > client       ok                  (or `failed d3`: nobody, or a node behind it)
//
// Without --mended the master has a flaw that a real system had: it does not listen. It finds out
// by itself, after ten minutes, that a node is gone, and until then returns the same nodes each
// time.
//
// What it promises: a write succeeds as long as there is a node that works, and what was written is
// on the disk of some node. The client prints what happens, with the number of its attempt:
//
//   f1 try 1 got d1        the master returned d1
//   f1 try 1 missed d1     d1 could not be reached
//   f1 ok                  or `f1 fail`, after seven attempts
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Words = std::vector<std::string>;

Words split(const std::string& line) {
  std::istringstream stream(line);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string name_of(const std::string& node) { return node.substr(0, node.find(':')); }

sockaddr_in address_of(const std::string& node) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(atoi(node.c_str() + node.find(':') + 1)));
  return address;
}

// A line to somebody, and one back. Nobody waits longer than two seconds.
class Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {
    const timeval most = {2, 0};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(socket_); }

  bool connect_to(const std::string& node) const {
    const sockaddr_in address = address_of(node);
    return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  bool send_line(const std::string& line) const {
    const std::string text = line + "\n";
    for (size_t done = 0; done < text.size();) {
      const ssize_t some = send(socket_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
      if (some <= 0) return false;
      done += static_cast<size_t>(some);
    }
    return true;
  }

  // Empty if the other side is gone, or silent.
  std::string read_line() const {
    std::string line;
    for (char c = 0; recv(socket_, &c, 1, 0) == 1;) {
      if (c == '\n') return line;
      line += c;
    }
    return "";
  }

 private:
  int socket_;
};

// The answer of a node, or nothing if it cannot be reached.
std::string ask(const std::string& node, const std::string& line) {
  const Connection connection(socket(AF_INET, SOCK_STREAM, 0));
  if (!connection.connect_to(node) || !connection.send_line(line)) return "";
  return connection.read_line();
}

// Answers every line that comes to this node, one connection after the other.
template <class Answer>
int serve(const std::string& node, const Answer& answer) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = address_of(node);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 16) != 0) {
    printf("cannot listen: %s\n", strerror(errno));
    return 1;
  }
  printf("ready\n");
  while (true) {
    const int client = accept(listener, nullptr, nullptr);
    if (client < 0) {
      printf("cannot accept: %s\n", strerror(errno));
      return 1;
    }
    const Connection connection(client);
    const std::string line = connection.read_line();
    if (!line.empty()) connection.send_line(answer(split(line)));
  }
}

// The nodes, without those that the client misses, unless these are all.
std::string give_out(const Words& nodes, const Words& question, bool mended) {
  std::string all;
  std::string others;
  for (const std::string& node : nodes) {
    const bool missed = std::ranges::find(question, name_of(node)) != question.end();
    all += " " + node;
    if (!missed) others += " " + node;
  }
  return mended && !others.empty() ? others : all;
}

// On the disk, with its name.
bool store(int folder, const std::string& file) {
  const int stored = openat(folder, file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (stored < 0) return false;
  const std::string text = "this is " + file + "\n";
  const bool written =
      write(stored, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
      fsync(stored) == 0 && fsync(folder) == 0;
  close(stored);
  return written;
}

// `write FILE NODE...`: keeps it, and has the others keep it.
std::string keep(int folder, const std::string& name, const Words& question) {
  if (question.size() < 2 || question[0] != "write") return "failed " + name;
  if (!store(folder, question[1])) return "failed " + name;
  if (question.size() == 2) return "ok";
  std::string rest = "write " + question[1];
  for (size_t i = 3; i < question.size(); ++i) rest += " " + question[i];
  const std::string answer = ask(question[2], rest);
  return answer.empty() ? "failed " + name_of(question[2]) : answer;
}

int keep_files(const std::string& node, const char* path) {
  mkdir(path, 0755);
  const int folder = open(path, O_RDONLY | O_DIRECTORY);
  if (folder < 0) {
    printf("%s: %s\n", path, strerror(errno));
    return 1;
  }
  return serve(node, [&](const Words& question) { return keep(folder, name_of(node), question); });
}

// One attempt. Adds whom it missed.
bool try_to_write(const std::string& master, const std::string& file, int attempt,
                  std::set<std::string>& missed) {
  std::string question = "nodes?";
  for (const std::string& node : missed) question += " " + node;
  Words nodes;
  for (int tries = 0; tries < 200 && nodes.empty(); ++tries) {
    if (tries > 0) usleep(10'000);  // it may be starting again
    nodes = split(ask(master, question));
  }
  if (nodes.empty()) return false;
  // All were missed, and all are given out again: each is tried anew, not the first alone.
  if (missed.contains(name_of(nodes.front()))) missed.clear();
  std::string pipeline = "write " + file;
  for (const std::string& node : nodes) {
    printf("%s try %d got %s\n", file.c_str(), attempt, name_of(node).c_str());
    if (node != nodes.front()) pipeline += " " + node;
  }
  const Words answer = split(ask(nodes.front(), pipeline));
  if (answer == Words{"ok"}) return true;
  const std::string lost = answer.size() == 2 ? answer[1] : name_of(nodes.front());
  printf("%s try %d missed %s\n", file.c_str(), attempt, lost.c_str());
  missed.insert(lost);
  return false;
}

void write_file(const std::string& master, const std::string& file) {
  std::set<std::string> missed;
  bool written = false;
  for (int attempt = 1; attempt <= 7 && !written; ++attempt) {
    written = try_to_write(master, file, attempt, missed);
  }
  printf("%s %s\n", file.c_str(), written ? "ok" : "fail");
}

// Files that are whole.
void list(const std::string& path) {
  DIR* folder = opendir(path.c_str());
  if (folder == nullptr) return;
  std::set<std::string> files;
  while (const dirent* entry = readdir(folder)) files.insert(entry->d_name);
  closedir(folder);
  const std::string node = path.substr(path.rfind('/') + 1);
  for (const std::string& file : files) {
    std::ifstream stream(path + "/" + file);
    std::string line;
    if (!std::getline(stream, line) || stream.eof() || line != "this is " + file) continue;
    printf("%s has %s\n", node.c_str(), file.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  Words words(argv + 1, argv + argc);
  const bool mended = !words.empty() && words[0] == "--mended";
  if (mended) words.erase(words.begin());
  const std::string role = words.empty() ? "" : words[0];
  if (role == "master" && words.size() > 2) {
    const Words nodes(words.begin() + 2, words.end());
    return serve("master:" + words[1],
                 [&](const Words& question) { return give_out(nodes, question, mended); });
  }
  if (role == "datanode" && words.size() == 3) return keep_files(words[1], words[2].c_str());
  if (role == "write" && words.size() > 2) {
    for (size_t i = 2; i < words.size(); ++i) write_file("master:" + words[1], words[i]);
    return 0;
  }
  if (role == "list" && words.size() > 1) {
    for (size_t i = 1; i < words.size(); ++i) list(words[i]);
    return 0;
  }
  printf(
      "usage: pipeline [--mended] master PORT NODE... | datanode NODE FOLDER | "
      "write PORT FILE... | list FOLDER...\n");
  return 2;
}
