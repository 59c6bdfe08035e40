#include "report/story.h"

#include <gtest/gtest.h>

#include "tests/report/run_builder.h"

namespace clew::report {
namespace {

using Story = std::vector<std::string>;

struct Told {
  clew::Run run;
  Story story;
};

const std::vector<Told> kTold = {
    {RunBuilder("a b", 4).tell("a", 1, "log"), {}},
    {RunBuilder("a b c", 4).drop("a", "b", 2), {"tick 2: what a sends to b is lost"}},
    {RunBuilder("a b c", 4).crash("c", 3), {"tick 3: c crashes"}},
    // The order is that of time; at one tick messages come before crashes.
    {RunBuilder("a b c", 6).crash("a", 1).crash("c", 3).drop("a", "b", 3).drop("c", "b", 2),
     {"tick 1: a crashes", "tick 2: what c sends to b is lost", "tick 3: what a sends to b is lost",
      "tick 3: c crashes"}},
    // The same links, tick after tick.
    {RunBuilder("a b c", 6).drop("a", "b", 2).drop("a", "b", 3).drop("a", "b", 5),
     {"ticks 2 to 3: what a sends to b is lost", "tick 5: what a sends to b is lost"}},
    {RunBuilder("a b c", 6).drop("a", "b", 2).drop("a", "c", 3),
     {"tick 2: what a sends to b is lost", "tick 3: what a sends to c is lost"}},
    // All that a sent: nobody else sent anything across.
    {RunBuilder("a b c", 4).drop("a", "b", 1).drop("a", "c", 1).tell("a", 1, "log"),
     {"tick 1: a partition: a is cut off from b and c"}},
    // b still reaches a, so a is cut off in one direction only.
    {RunBuilder("a b c", 4)
         .drop("a", "b", 1)
         .drop("a", "c", 1)
         .tell("a", 1, "log")
         .send("b", "a", 1, "ack"),
     {"tick 1: a one-way partition: nothing from a reaches b and c"}},
    {RunBuilder("a b c", 4)
         .drop("a", "c", 1)
         .drop("b", "c", 1)
         .send("a", "c", 1, "log")
         .send("c", "a", 1, "ack"),
     {"tick 1: a one-way partition: nothing from a and b reaches c"}},
    // d hears a, and a hears b: not even one direction is lost.
    {RunBuilder("a b c d", 4)
         .drop("a", "b", 1)
         .drop("a", "c", 1)
         .tell("a", 1, "log")
         .send("b", "a", 1, "ack")
         .send("d", "b", 1, "ack")
         .send("d", "c", 1, "ack"),
     {"tick 1: what a sends to b and c is lost"}},
    // First one direction, then both.
    {RunBuilder("a b c", 5)
         .drop("a", "b", 1)
         .drop("a", "c", 1)
         .drop("a", "b", 2)
         .drop("a", "c", 2)
         .send("b", "a", 1, "ack"),
     {"tick 1: a one-way partition: nothing from a reaches b and c",
      "tick 2: a partition: a is cut off from b and c"}},
    // What b and c say to each other does not cross.
    {RunBuilder("a b c", 4)
         .drop("a", "b", 1)
         .drop("a", "c", 1)
         .tell("a", 1, "log")
         .send("b", "c", 1, "ack"),
     {"tick 1: a partition: a is cut off from b and c"}},
    // A message that crosses is lost for another reason.
    {RunBuilder("a b c", 4)
         .crash("b", 1)
         .drop("a", "b", 1)
         .drop("a", "c", 1)
         .tell("a", 1, "log")
         .send("b", "a", 1, "ack"),
     {"tick 1: a partition: a is cut off from b and c", "tick 1: b crashes"}},
    {RunBuilder("a b c d", 5)
         .drop("a", "c", 2)
         .drop("a", "d", 2)
         .drop("b", "c", 2)
         .drop("b", "d", 2)
         .drop("c", "a", 3)
         .drop("d", "a", 3)
         .drop("c", "b", 3)
         .drop("d", "b", 3)
         .send("a", "b", 2, "log"),
     {"ticks 2 to 3: a partition: a and b are cut off from c and d"}},
    // Not the same group at both ticks.
    {RunBuilder("a b c", 5).drop("a", "b", 2).drop("a", "c", 2).drop("b", "a", 3).drop("b", "c", 3),
     {"tick 2: a partition: a is cut off from b and c",
      "tick 3: a partition: b is cut off from a and c"}},
    // No group explains these.
    {RunBuilder("a b c", 4).drop("a", "b", 1).drop("b", "c", 1).drop("c", "a", 1),
     {"tick 1: what a sends to b is lost", "tick 1: what b sends to c is lost",
      "tick 1: what c sends to a is lost"}},
    {RunBuilder("a b c d e", 4)
         .drop("a", "b", 1)
         .drop("a", "c", 1)
         .drop("a", "d", 1)
         .drop("c", "d", 1)
         .tell("a", 1, "log"),
     {"tick 1: what a sends to b, c and d is lost", "tick 1: what c sends to d is lost"}},
};

TEST(Story, Faults) {
  for (const Told& one : kTold) EXPECT_EQ(tell_faults(one.run), one.story);
}

// With many nodes only those who lose something are tried as a group.
TEST(Story, ManyNodes) {
  const std::string names = "a b c d e f g h i j k l m";
  RunBuilder cut_off(names, 4);
  RunBuilder heard_by_m(names, 4);
  for (const char* to : {"b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}) {
    cut_off.drop("a", to, 1);
    heard_by_m.drop("a", to, 1);
  }
  cut_off.drop("a", "m", 1).tell("a", 1, "log");
  EXPECT_EQ(tell_faults(cut_off), (Story{"tick 1: a partition: a is cut off from b, c, d, e, f, g, "
                                         "h, i, j, k, l and m"}));
  cut_off.send("b", "a", 1, "ack");
  EXPECT_EQ(tell_faults(cut_off), (Story{"tick 1: a one-way partition: nothing from a reaches b, "
                                         "c, d, e, f, g, h, i, j, k, l and m"}));
  heard_by_m.tell("a", 1, "log").send("m", "b", 1, "ack");
  EXPECT_EQ(tell_faults(heard_by_m),
            (Story{"tick 1: what a sends to b, c, d, e, f, g, h, i, j, k and l is lost"}));
}

}  // namespace
}  // namespace clew::report
