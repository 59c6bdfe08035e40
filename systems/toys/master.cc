// A master that keeps the names of files in two files of its own: `img` has what was merged, `log`
// what was added since. When it starts it merges both, in five steps:
//
//   img  log  log2 img2    step
//   f1   f2   -    -       1. start
//   f1   f2   empty -      2. make an empty log2
//   f1   f2   empty f1 f2  3. merge img and log into img2
//   f1   empty -   f1 f2   4. rename log2 to log
//   f1 f2 empty -  -       5. rename img2 to img
//
// A merge that was cut short is taken up again: with img2 but without log2 at step 5, else at 2.
//
//   master [--mended] STATE PORT      merges, prints `ready`, and takes names from clients
//   master [--mended] --merge STATE   merges
//   master --list STATE               prints which files there are, and the names in them
//   master --add PORT NAME...         is a client: prints `added NAME`, or `failed NAME`
//
// Without --mended it has a bug that a real system had: it empties the log before it renames log2.
// If it dies in between, the next merge finds an empty log.
//
// What it promises: a name that was added is never lost, whenever its process is killed or the
// power goes. Names have no blanks; each is a line. A line without its end was never added.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace {

bool mended = false;
int folder = -1;  // the state

[[noreturn]] void give_up(const char* what) {
  const int code = errno;
  printf("%s: %s\n", what, strerror(code));
  exit(1);
}

bool exists(const char* name) {
  if (faccessat(folder, name, F_OK, 0) == 0) return true;
  if (errno != ENOENT) give_up(name);
  return false;
}

void write_whole(int file, const std::string& text, const char* name) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t some = write(file, text.data() + done, text.size() - done);
    if (some <= 0) give_up(name);
    done += static_cast<size_t>(some);
  }
}

std::string read_whole(const char* name) {
  const int file = openat(folder, name, O_RDONLY);
  if (file < 0 && errno == ENOENT) return "";
  if (file < 0) give_up(name);
  std::string text;
  char part[4096];
  ssize_t some = 0;
  while ((some = read(file, part, sizeof part)) > 0) text.append(part, static_cast<size_t>(some));
  if (some < 0) give_up(name);
  close(file);
  return text;
}

std::set<std::string> names_in(const char* file) {
  std::set<std::string> names;
  const std::string text = read_whole(file);
  size_t begin = 0;
  for (size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    names.insert(text.substr(begin, end - begin));
  }
  return names;
}

void sync_folder() {
  if (fsync(folder) != 0) give_up("fsync of the folder");
}

// With this in it, on the disk.
void make_file(const char* name, const std::string& text) {
  const int file = openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) give_up(name);
  write_whole(file, text, name);
  if (fsync(file) != 0) give_up(name);
  close(file);
  sync_folder();
}

void rename_file(const char* from, const char* to) {
  if (renameat(folder, from, folder, to) != 0) give_up(from);
  sync_folder();
}

void empty_log() {
  const int log = openat(folder, "log", O_WRONLY);
  if (log < 0 || ftruncate(log, 0) != 0 || fsync(log) != 0) give_up("log");
  close(log);
}

void merge_into_img2() {
  std::set<std::string> names = names_in("img");
  names.merge(names_in("log"));
  std::string text;
  for (const std::string& name : names) text += name + "\n";
  make_file("img2", text);
}

void merge() {
  if (exists("log2") || !exists("img2")) {
    if (!exists("log")) make_file("log", "");
    make_file("log2", "");
    merge_into_img2();
    if (!mended) empty_log();
    rename_file("log2", "log");
  }
  rename_file("img2", "img");
}

void open_state(const char* path) {
  folder = open(path, O_RDONLY | O_DIRECTORY);
  if (folder < 0) give_up(path);
}

void list() {
  const std::vector<const char*> files = {"img", "log", "log2", "img2"};
  printf("exists");
  for (const char* file : files) printf(" %d", exists(file) ? 1 : 0);
  printf("\n");
  for (const char* file : files) {
    for (const std::string& name : names_in(file)) printf("%s in %s\n", name.c_str(), file);
  }
}

sockaddr_in address_of(const char* port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(atoi(port)));
  return address;
}

// Up to the end of a line; empty if the other side is gone.
std::string read_line(int socket) {
  std::string line;
  for (char c = 0; recv(socket, &c, 1, 0) == 1;) {
    if (c == '\n') return line;
    line += c;
  }
  return "";
}

bool send_line(int socket, const std::string& line) {
  const std::string text = line + "\n";
  return send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

void add(int log, const std::string& name) {
  write_whole(log, name + "\n", "log");
  if (fsync(log) != 0) give_up("log");
}

[[noreturn]] void serve(const char* port) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  const int yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const sockaddr_in address = address_of(port);
  if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listener, 16) != 0) {
    give_up("listen");
  }
  const int log = openat(folder, "log", O_WRONLY | O_APPEND);
  if (log < 0) give_up("log");
  printf("ready\n");
  while (true) {
    const int client = accept(listener, nullptr, nullptr);
    if (client < 0) give_up("accept");
    const std::string name = read_line(client);
    if (!name.empty()) {
      add(log, name);
      send_line(client, "added");
    }
    close(client);
  }
}

bool ask_to_add(const char* port, const std::string& name) {
  const int server = socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = address_of(port);
  const bool added =
      connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      send_line(server, name) && read_line(server) == "added";
  close(server);
  return added;
}

void add_all(const char* port, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    bool added = false;
    for (int tries = 0; tries < 200 && !added; ++tries) {
      if (tries > 0) usleep(5000);  // it may be starting again
      added = ask_to_add(port, name);
    }
    printf("%s %s\n", added ? "added" : "failed", name.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "--mended") {
    mended = true;
    words.erase(words.begin());
  }
  if (words.size() == 2 && words[0] == "--merge") {
    open_state(words[1].c_str());
    merge();
  } else if (words.size() == 2 && words[0] == "--list") {
    open_state(words[1].c_str());
    list();
  } else if (words.size() > 2 && words[0] == "--add") {
    add_all(words[1].c_str(), {words.begin() + 2, words.end()});
  } else if (words.size() == 2 && words[0][0] != '-') {
    open_state(words[0].c_str());
    merge();
    serve(words[1].c_str());
  } else {
    printf(
        "usage: master [--mended] STATE PORT, --merge STATE, --list STATE, --add PORT NAME...\n");
    return 2;
  }
}
