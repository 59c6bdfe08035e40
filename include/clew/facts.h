/*
 * Tells a fact to Clew: for a C or C++ program that `clew inject` runs (docs/inject.md, Facts).
 *
 *   #include <clew/facts.h>
 *
 *   clew_fact("acked", "si", "w1", 7);      the rules see acked("w1", 7)
 *
 * Each letter of the second argument is a value: s a string (const char *), i an int, l a long. The
 * target file names the relation and how many values it has: [tells] acked = 2.
 *
 * Without Clew nothing happens: the descriptor is named by the environment (CLEW_FACTS, a number or the
 * path of a pipe). A fact is one line of text, written by one call, so that lines of several processes and
 * threads never mix, and a process that dies has told a fact as a whole or not at all:
 *
 *   acked("w1", 7)
 *
 * Any language can write such lines. In strings a " and a \ have a \ before them, and other bytes are
 * written as \x0a. A line has at most 4096 bytes, with its end.
 *
 * C89, nothing to link. errno is left as it was. Returns 1 if the fact was told, 0 if nobody wants to
 * know, -1 if it could not be told; a fact that is too long, or letters that are wrong, end the run with
 * an error, so that nobody takes it for a fact that did not happen.
 */
#ifndef CLEW_FACTS_H
#define CLEW_FACTS_H

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define CLEW_FACTS_MOST 4096

struct clew_facts_line {
  char text[CLEW_FACTS_MOST];
  size_t size;
  int fits;
};

#ifdef __GNUC__
__attribute__((unused))
#endif
static void
clew_facts_add(struct clew_facts_line *line, const char *text, size_t size) {
  if (line->size + size + 1 > CLEW_FACTS_MOST) {
    line->fits = 0;
    return;
  }
  memcpy(line->text + line->size, text, size);
  line->size += size;
}

#ifdef __GNUC__
__attribute__((unused))
#endif
static void
clew_facts_add_string(struct clew_facts_line *line, const char *text) {
  char escaped[8];
  clew_facts_add(line, "\"", 1);
  for (; *text != '\0' && line->fits; ++text) {
    const unsigned char byte = (unsigned char)*text;
    if (byte == '"' || byte == '\\') {
      clew_facts_add(line, "\\", 1);
      clew_facts_add(line, text, 1);
    } else if (byte < 0x20 || byte == 0x7f) {
      clew_facts_add(line, escaped, (size_t)sprintf(escaped, "\\x%02x", (unsigned)byte));
    } else {
      clew_facts_add(line, text, 1);
    }
  }
  clew_facts_add(line, "\"", 1);
}

/* What is told instead of a fact that cannot be. */
#ifdef __GNUC__
__attribute__((unused))
#endif
static void
clew_facts_complain(struct clew_facts_line *line, const char *relation, const char *what) {
  size_t size = strlen(relation);
  line->size = 0;
  line->fits = 1;
  if (size > 100) size = 100;
  clew_facts_add(line, relation, size);
  clew_facts_add(line, ": ", 2);
  clew_facts_add(line, what, strlen(what));
}

/* A number is a descriptor that was handed down: a pipe, and nothing that has since got its number. */
#ifdef __GNUC__
__attribute__((unused))
#endif
static int
clew_facts_tell(const char *where, const char *text, size_t size) {
  struct stat status;
  char *end = NULL;
  const long number = strtol(where, &end, 10);
  const int is_path = *end != '\0';
  const int file = is_path ? open(where, O_WRONLY) : (int)number;
  ssize_t told = -1;
  if (file < 0) return -1;
  if (fstat(file, &status) == 0 && S_ISFIFO(status.st_mode)) {
    do {
      told = write(file, text, size);
    } while (told < 0 && errno == EINTR);
  }
  if (is_path) close(file);
  return told == (ssize_t)size ? 1 : -1;
}

#ifdef __GNUC__
__attribute__((unused))
#endif
static int
clew_fact(const char *relation, const char *values, ...) {
  const int before = errno;
  const char *where = getenv("CLEW_FACTS");
  struct clew_facts_line line;
  char number[32];
  const char *text;
  va_list more;
  int told;
  if (where == NULL || *where == '\0') return 0;
  line.size = 0;
  line.fits = 1;
  clew_facts_add(&line, relation, strlen(relation));
  clew_facts_add(&line, "(", 1);
  va_start(more, values);
  for (; *values != '\0' && line.fits; ++values) {
    if (line.text[line.size - 1] != '(') clew_facts_add(&line, ", ", 2);
    if (*values == 's') {
      text = va_arg(more, const char *);
      clew_facts_add_string(&line, text == NULL ? "" : text);
    } else if (*values == 'i') {
      clew_facts_add(&line, number, (size_t)sprintf(number, "%d", va_arg(more, int)));
    } else if (*values == 'l') {
      clew_facts_add(&line, number, (size_t)sprintf(number, "%ld", va_arg(more, long)));
    } else {
      break;
    }
  }
  va_end(more);
  clew_facts_add(&line, ")", 1);
  if (!line.fits) {
    clew_facts_complain(&line, relation, "the fact is too long for clew_fact");
  } else if (*values != '\0') {
    clew_facts_complain(&line, relation, "the letters of clew_fact are s, i and l");
  }
  line.text[line.size++] = '\n';
  told = clew_facts_tell(where, line.text, line.size);
  errno = before;
  return told;
}

#endif
