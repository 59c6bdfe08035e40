/* Tells facts from C89: facts_header_test.cc reads them. */
#include <clew/facts.h>

int tell_from_c(const char *text);
int complain_from_c(void);

int tell_from_c(const char *text) {
  clew_fact("none", "");
  return clew_fact("acked", "sil", text, -7, 9000000000L);
}

int complain_from_c(void) { return clew_fact("acked", "sx", "w1", 7); }
