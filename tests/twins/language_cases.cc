#include "tests/twins/language_cases.h"

#include <iterator>
#include <sstream>

namespace clew::twins {
namespace {

const LanguageCase kTime[] = {
    {"FactsHoldAtTheirTickOnly", "a, eot 3", R"(p("a", 1)@1; p("a", 2)@2; p("a", 9)@9; p(0, 0)@0;)",
     R"(
1: p("a", 1)
2: p("a", 2)
3:
)"},
    {"NextPutsTheHeadOneTickLater", "a, eot 3", R"(p("a", 1)@1; p(X, N + 1)@next :- p(X, N);)",
     R"(
1: p("a", 1)
2: p("a", 2)
3: p("a", 3)
)"},
    {"NextRulesRestAtTheLastTick", "a", R"(p("a", 0)@2; q(X, 1 / N)@next :- p(X, N);)",
     R"(
1:
2: p("a", 0)
)"},
    {"AsyncArrivesOneTickLaterAtItsFirstColumn", "a b",
     R"(p("a", "b")@1; q(Y, X)@async :- p(X, Y);)",
     R"(
1: p("a", "b")
2: q("b", "a")
a>b@1 q("b", "a") delivered
)"},
    {"WhatIsSentAtTheLastTickNeverArrives", "a b, eot 1",
     R"(p("a", "b")@1; q(Y)@async :- p(X, Y);)",
     R"(
1: p("a", "b")
a>b@1 q("b") after-end
)"},
    {"DestinationsThatAreNotNodesAreStray", "a",
     R"(p("a", "z")@1; p("a", 7)@1; p("a", "a")@1; q(Y)@async :- p(X, Y);)",
     R"(
1: p("a", 7) p("a", "a") p("a", "z")
2: q("a")
a>a@1 q("a") delivered
stray "z"
stray 7
)"},
    {"ReadsOfTickNFireFromThenOn", "a, eot 3",
     R"(p("a", 1)@1; p("a", 2)@2; q(X, N) :- p(X, N)@2; r(X) :- p(X, 1)@1;)",
     R"(
1: p("a", 1) r("a")
2: p("a", 2) q("a", 2) r("a")
3: q("a", 2) r("a")
)"},
    {"NegatedReadsOfTickNWaitAsWell", "a, eot 3",
     R"(p("a", 1)@1; q(X) :- notin p(X, 1)@2; r(X) :- notin p(X, 1)@1; s(X) :- notin p(X, 1)@0;)",
     R"(
1: p("a", 1)
2: q("a")
3: q("a")
)"},
};

const LanguageCase kLocations[] = {
    {"RulesFireOnlyAtNodes", "a b, eot 1",
     R"(p("a")@1; p("b")@1; p("z")@1; p(5)@1; q(X) :- p(X); r(Y) :- p("a"), p(Y);)",
     R"(
1: p(5) p("a") p("b") p("z") q("a") q("b") r(5) r("a") r("b") r("z")
)"},
    {"ConstantsThatAreNotNodesNeverFire", "a, eot 1",
     R"(p("a")@1; p("z")@1; p(5)@1; q("a") :- p("z"); r("a") :- p(5); s("a") :- p("a");)",
     R"(
1: p(5) p("a") p("z") s("a")
)"},
    {"IntegersThatSpellTheNameOfANodeAreNotThatNode", "5, eot 1",
     R"(p(5)@1; p("5")@1; q("5") :- p(5); r("5") :- p("5");)",
     R"(
1: p(5) p("5") r("5")
)"},
    {"WildcardsAreLocatedAnywhere", "a, eot 1", R"(p("z")@1; p(5)@1; q("a") :- p(_);)",
     R"(
1: p(5) p("z") q("a")
)"},
    {"BodiesWithoutColumnsAreLocatedAnywhere", "a, eot 1",
     R"(z()@1; q("a") :- z(); r("a") :- 1 < 2; s("a") :- 2 < 1; t() :- notin u(); u() :- z(), p(5);)",
     R"(
1: q("a") r("a") t() z()
)"},
    {"TheLocationIsBoundByANegatedFirstAtom", "a b, eot 1",
     R"(busy("b", 1)@1; idle(X) :- notin busy(X, _); odd(X, Y) :- notin busy(X, 2), busy(Y, _);)",
     R"(
1: busy("b", 1) idle("a") odd("a", "b") odd("b", "b")
)"},
    {"ConditionsBeforeTheFirstAtomDoNotMoveTheLocation", "a, eot 1",
     R"(p("a")@1; p("z")@1; q(X, Y) :- Y != "a", p(X), p(Y);)",
     R"(
1: p("a") p("z") q("a", "z")
)"},
    {"MessagesFromAnywhereComeFromTheirDestination", "a b, drop a>b@1, crash a@1",
     R"(p("z", "b")@1; p("z", "a")@1; q(Y)@async :- p(_, Y);)",
     R"(
1: crash("a", "a", 1) crash("b", "a", 1) p("z", "a") p("z", "b")
2: crash("a", "a", 1) crash("b", "a", 1) q("a") q("b")
a>a@1 q("a") delivered
b>b@1 q("b") delivered
)"},
    {"HeadsMayHoldAnythingAnywhere", "a b, eot 1",
     R"(p("a", 3)@1; q(N, X) :- p(X, N); r("z") :- p(X, N);)",
     R"(
1: p("a", 3) q(3, "a") r("z")
)"},
};

const LanguageCase kFaults[] = {
    {"AnOmissionLosesEverythingOfItsTick", "a b, eot 3, drop a>b@1",
     R"(p("a")@1; p("a")@2; q("b", 1)@async :- p(X); r("b")@async :- p(X); q("a", 1)@async :- p(X);)",
     R"(
1: p("a")
2: p("a") q("a", 1)
3: q("a", 1) q("b", 1) r("b")
a>a@1 q("a", 1) delivered
a>b@1 q("b", 1) omitted
a>b@1 r("b") omitted
a>a@2 q("a", 1) delivered
a>b@2 q("b", 1) delivered
a>b@2 r("b") delivered
)"},
    {"SilentCrashesSilenceTowardsOthers", "a b, eot 3, crash a@2",
     R"(p("a")@1; p("b")@1; p(X)@next :- p(X);
        hi(Y, X)@async :- p(X), p(Y); c("b", T) :- p("b"), crash("b", "a", T);)",
     R"(
1: c("b", 2) crash("a", "a", 2) crash("b", "a", 2) p("a") p("b")
2: c("b", 2) crash("a", "a", 2) crash("b", "a", 2) hi("a", "a") hi("a", "b") hi("b", "a") hi("b", "b") p("a") p("b")
3: c("b", 2) crash("a", "a", 2) crash("b", "a", 2) hi("a", "a") hi("a", "b") hi("b", "b") p("a") p("b")
a>a@1 hi("a", "a") delivered
a>b@1 hi("b", "a") delivered
b>a@1 hi("a", "b") delivered
b>b@1 hi("b", "b") delivered
a>a@2 hi("a", "a") delivered
a>b@2 hi("b", "a") sender-crashed
b>a@2 hi("a", "b") delivered
b>b@2 hi("b", "b") delivered
a>a@3 hi("a", "a") after-end
a>b@3 hi("b", "a") after-end
b>a@3 hi("a", "b") after-end
b>b@3 hi("b", "b") after-end
)"},
    {"StoppedNodesHoldNothing", "a b, eot 3, stop, crash a@2",
     R"(p("a")@1; p("a")@2; p("b")@1; p(X)@next :- p(X); hi(Y, X)@async :- p(X), p(Y);
        view("a", X) :- p(X); view("b", X) :- p(X);)",
     R"(
1: crash("a", "a", 2) crash("b", "a", 2) p("a") p("b") view("a", "a") view("a", "b") view("b", "a") view("b", "b")
2: crash("b", "a", 2) hi("b", "a") hi("b", "b") p("b") view("b", "b")
3: crash("b", "a", 2) hi("b", "b") p("b") view("b", "b")
a>a@1 hi("a", "a") receiver-stopped
a>b@1 hi("b", "a") delivered
b>a@1 hi("a", "b") receiver-stopped
b>b@1 hi("b", "b") delivered
b>b@2 hi("b", "b") delivered
b>b@3 hi("b", "b") after-end
)"},
    {"StoppedNodesAreNoLocation", "a b, stop, crash a@1",
     R"(n("z")@2; idle(X) :- notin p(X); any("b") :- n(_); then("b") :- n("a")@1; p("b")@1;)",
     R"(
1: crash("b", "a", 1) p("b")
2: any("b") crash("b", "a", 1) idle("b") n("z")
)"},
    {"StoppedNodesAreNoLocationAnyMore", "a b, eot 3, stop, crash a@2",
     R"(idle("b", X) :- notin p(X); p("b")@1;)",
     R"(
1: crash("a", "a", 2) crash("b", "a", 2) idle("b", "a") p("b")
2: crash("b", "a", 2) idle("b", "b")
3: crash("b", "a", 2) idle("b", "b")
)"},
    {"RulesLocatedAnywhereFireWhenAllHaveStopped", "a b, stop, crash a@1, crash b@1",
     R"(p("z")@1; p("a")@1; z()@1; q("z") :- p(_); r("z") :- z(); s("z") :- 1 < 2; t("z")@next :- z();
        u("a") :- p(_); v(X) :- notin p(X); w("b")@async :- p(_);)",
     R"(
1: p("z") q("z") r("z") s("z") z()
2: s("z") t("z")
b>b@1 w("b") receiver-stopped
)"},
    {"WhatAStoppedNodeHeldCanStillBeReadByTick", "a b, eot 3, stop, crash a@2",
     R"(p("a", 1)@1; q("b", N) :- notin r("b"), p("a", N)@1;)",
     R"(
1: crash("a", "a", 2) crash("b", "a", 2) p("a", 1) q("b", 1)
2: crash("b", "a", 2) q("b", 1)
3: crash("b", "a", 2) q("b", 1)
)"},
    {"MessagesToAStoppedNodeFromAnywhereAreLost", "a b, stop, crash a@1",
     R"(p("z", "a")@1; p("z", "b")@1; q(Y)@async :- p(_, Y);)",
     R"(
1: crash("b", "a", 1) p("z", "a") p("z", "b")
2: crash("b", "a", 1) q("b")
a>a@1 q("a") receiver-stopped
b>b@1 q("b") delivered
)"},
};

const LanguageCase kBodies[] = {
    {"IntegersComeBeforeStringsWhateverIsCompared", "a, eot 1",
     R"(p("a", 7)@1; s("a", "")@1; m("a", 7)@1; m("a", "")@1;
        lt(X) :- p(X, N), s(X, S), N < S; le(X) :- p(X, N), N <= ""; ne(X) :- p(X, N), N != "7";
        gt(X) :- p(X, N), s(X, S), N > S; ge(X) :- s(X, S), 9 >= S; eq(X) :- p(X, N), N == "7";
        after(X) :- s(X, S), S > 9; small(X, N) :- m(X, N), N < "";)",
     R"(
1: after("a") le("a") lt("a") m("a", 7) m("a", "") ne("a") p("a", 7) s("a", "") small("a", 7)
)"},
    {"JoinsRecursionAndStratifiedNegation", "a b c, eot 1",
     R"(e("a", "b")@1; e("b", "c")@1; n("a")@1; n("b")@1; n("c")@1;
        t(X, Y) :- e(X, Y); t(X, Z) :- t(X, Y), e(Y, Z); not(X, Y) :- n(X), n(Y), notin t(X, Y), X < Y;
        last(X) :- n(X), notin t(X, Y);)",
     R"(
1: e("a", "b") e("b", "c") last("c") n("a") n("b") n("c") t("a", "b") t("a", "c") t("b", "c")
)"},
    {"RepeatedVariablesAndWildcards", "a, eot 1",
     R"(p("a", 1, 1)@1; p("a", 1, 2)@1; same(X, N) :- p(X, N, N); any(X) :- p(X, _, _);)",
     R"(
1: any("a") p("a", 1, 1) p("a", 1, 2) same("a", 1)
)"},
    {"VariablesOfANotinAloneAreExistentialThere", "a, eot 1",
     R"(n("a")@1; p("a", 1, 2)@1; q("a", 3, 3)@1; r1(X) :- n(X), notin p(X, E, E);
        r2(X) :- n(X), notin q(X, E, E); r3(X) :- n(X), notin p(X, E, F), notin q(X, F, E);
        r4(X) :- n(X), notin p(X, E, 1), notin q(X, E, 2);)",
     R"(
1: n("a") p("a", 1, 2) q("a", 3, 3) r1("a") r4("a")
)"},
    {"ExpressionsInArgumentsAreCompared", "a, eot 1",
     R"(p("a", 1)@1; p("a", 2)@1; p("a", 4)@1; up(X, N) :- p(X, N), p(X, N + 1);
        top(X, N) :- p(X, N), notin p(X, N * 2); name(X) :- p(X, N), p("" + X, 2 * N);)",
     R"(
1: name("a") p("a", 1) p("a", 2) p("a", 4) top("a", 4) up("a", 1)
)"},
    {"PrecedenceTruncationAndJoiningOfStrings", "a, eot 1",
     R"(p("a", 7, "x")@1; q(X, 1 + 2 * 3, (1 + 2) * 3, N / 2, (0 - N) / 2, 9 - 4 - 3, S + "-" + S) :- p(X, N, S);)",
     R"(
1: p("a", 7, "x") q("a", 7, 9, 3, -3, 2, "x-x")
)"},
    {"IntegersOrderBeforeStrings", "a, eot 1",
     R"(p("a", 10)@1; p("a", 9)@1; p("a", "9")@1; p("a", "10")@1; q(X, N, M) :- p(X, N), p(X, M), N < M;)",
     R"(
1: p("a", 9) p("a", 10) p("a", "10") p("a", "9") q("a", 9, 10) q("a", 9, "10") q("a", 9, "9") q("a", 10, "10") q("a", 10, "9") q("a", "10", "9")
)"},
};

const LanguageCase kAggregates[] = {
    {"GroupsAreTheOtherColumns", "a b, eot 1",
     R"(p("a", 1)@1; p("a", 5)@1; p("b", 2)@1;
        q(X, count<N>, sum<N>, min<N>, max<N>) :- p(X, N); all(sum<N>) :- p(_, N);)",
     R"(
1: all(8) p("a", 1) p("a", 5) p("b", 2) q("a", 2, 6, 1, 5) q("b", 1, 2, 2, 2)
)"},
    {"DuplicatesAreRemovedAfterProjection", "a, eot 1",
     R"(p("a", 3, 1)@1; p("a", 3, 2)@1; p("a", 4, 1)@1;
        s(X, sum<N>) :- p(X, N, _); both(X, count<N>, sum<M>) :- p(X, N, M);)",
     R"(
1: both("a", 3, 4) p("a", 3, 1) p("a", 3, 2) p("a", 4, 1) s("a", 7)
)"},
    {"NoGroupNoTuple", "a, eot 1", R"(n("a")@1; q(X, count<N>) :- n(X), p(X, N); p("a", 1)@2;)",
     R"(
1: n("a")
)"},
    {"AggregatesReadWholeRelations", "a, eot 1",
     R"(e("a", 1)@1; t(X, N) :- e(X, N); t(X, N + 1) :- t(X, N), N < 4; c(X, count<N>) :- t(X, N);
        more(X) :- c(X, N), N > 3;)",
     R"(
1: c("a", 4) e("a", 1) more("a") t("a", 1) t("a", 2) t("a", 3) t("a", 4)
)"},
    {"MinAndMaxOfStringsAndOfMixtures", "a, eot 1",
     R"(p("a", "b")@1; p("a", "c")@1; p("a", 9)@1; q(X, min<N>, max<N>) :- p(X, N);)",
     R"(
1: p("a", 9) p("a", "b") p("a", "c") q("a", 9, "c")
)"},
    {"NextAggregatesArriveOneTickLater", "a",
     R"(p("a", 1)@1; p("a", 2)@1; q(X, count<N>)@next :- p(X, N);)",
     R"(
1: p("a", 1) p("a", 2)
2: q("a", 2)
)"},
    {"OneMessageSaysTheSameThingOnce", "a b, eot 1",
     R"(v("a", 1)@1; n("b", X, count<N>)@async :- v(X, N); n("b", X, N)@async :- v(X, N); n("b", X, sum<N>)@async :- v(X, N);)",
     R"(
1: v("a", 1)
a>b@1 n("b", "a", 1) after-end
)"},
    {"LostMessagesDoNotCount", "a b c, drop a>c@1",
     R"(v("a", 1)@1; v("b", 2)@1; v("c", 2)@1; total("c", count<N>, sum<N>)@async :- v(X, N);)",
     R"(
1: v("a", 1) v("b", 2) v("c", 2)
2: total("c", 1, 2)
a>c@1 total("c", 1, 1) omitted
b>c@1 total("c", 1, 2) delivered
c>c@1 total("c", 1, 2) delivered
)"},
};

const LanguageCase kFailures[] = {
    {"DivisionByZero", "a", R"(p("a", 0)@2; q(X, 1 / N) :- p(X, N);)",
     R"(
1:
failed at 2: division-by-zero in `1 / N`
)"},
    {"OverflowOfEveryOperator", "a",
     R"(p("a", 9223372036854775807, -9223372036854775808)@1;
        q(X, N + 1) :- p(X, N, M); q(X, M - 1) :- p(X, N, M); q(X, N * 2) :- p(X, N, M);
        q(X, M / (0 - 1)) :- p(X, N, M);)",
     R"(
failed at 1: integer-overflow in `N + 1` integer-overflow in `M - 1` integer-overflow in `N * 2` integer-overflow in `M / (0 - 1)`
)"},
    {"OperatorsOnTheWrongTypeOfAMixedColumn", "a",
     R"(p("a", 1)@1; p("a", "x")@1; q(X, N - 1) :- p(X, N);)",
     R"(
failed at 1: wrong-type in `N - 1`
)"},
    {"PlainConditionsAndNotinsGuardExpressions", "a, eot 1",
     R"(p("a", 0)@1; p("a", 2)@1; bad("a", 0)@1; q(X, 4 / N) :- p(X, N), N != 0;
        r(X) :- 4 / N > 1, p(X, N), N != 0; s(X) :- p(X, N), 4 / N > 1, notin bad(X, N);)",
     R"(
1: bad("a", 0) p("a", 0) p("a", 2) q("a", 2) r("a") s("a")
)"},
    {"ExpressionsGuardLaterOnes", "a, eot 1",
     R"(p("a", 0)@1; r(X) :- p(X, N), N + 0 > 0, 4 / N > 1; s(X) :- p(X, N), p(X, N + 1), 4 / N > 1;
        t(X) :- p(X, N), notin p(X, N + 0), 4 / N > 1;)",
     R"(
1: p("a", 0)
)"},
    {"ExpressionsAreNotGuardedByLaterOnes", "a, eot 1",
     R"(p("a", 0)@1; r(X) :- p(X, N), 4 / N > 1, N + 0 > 0; s(X) :- p(X, N), p(X, 5 / N), p(X, N + 1);
        t(X) :- p(X, N), notin p(X, 6 / N), N + 0 > 0;)",
     R"(
failed at 1: division-by-zero in `4 / N` division-by-zero in `5 / N` division-by-zero in `6 / N`
)"},
    {"WhereNothingBindsNothingFails", "a, eot 1",
     R"(p("a", 0)@2; q(X, 1 / N) :- p(X, N); r("a") :- p(_, _), 1 / 0 > 1;)",
     R"(
1:
)"},
    {"SumsOverflowByTheirResult", "a, eot 1",
     R"(p("a", 9223372036854775807)@1; p("a", 1)@1; p("a", -1)@1; p("b", 9223372036854775807)@1; p("b", 1)@1;
        q(X, sum<N>) :- p(X, N); r(Y, sum<N>) :- p("a", _), p(Y, N), Y == "b";)",
     R"(
failed at 1: integer-overflow in `sum<N>`
)"},
    {"SumsOfStringsFail", "a, eot 1", R"(p("a", 1)@1; p("a", "x")@1; q(X, sum<N>) :- p(X, N);)",
     R"(
failed at 1: wrong-type in `sum<N>`
)"},
    {"NextAggregatesRestAtTheLastTick", "a, eot 1",
     R"(p("a", 0)@1; p("a", "x")@1; q(X, sum<N>)@next :- p(X, N); r(X, 1 / N, count<N>)@next :- p(X, N), N < 1;)",
     R"(
1: p("a", 0) p("a", "x")
)"},
    {"WhatCannotExistIsNotCalculated", "a b, stop, crash b@1",
     R"(p("a", 0)@1; q("b", 1 / N) :- p(X, N); q("b", 1 / N)@next :- p(X, N); r("b", N) :- p(X, N), 1 / N > 0;
        s("" + "b", 1 / N) :- p(X, N);)",
     R"(
1: crash("a", "b", 1) p("a", 0)
2: crash("a", "b", 1)
)"},
    {"MessagesToStoppedNodesAreCalculated", "a b, stop, crash b@1",
     R"(p("a", 0)@1; q("b", 1 / N)@async :- p(X, N);)",
     R"(
failed at 1: division-by-zero in `1 / N`
)"},
    {"NothingFailsForTheTickAfterTheLast", "a b, eot 1",
     R"(p("a", 0)@1; p("a", 2)@1; q("b", 4 / N)@async :- p(X, N); r("b", N)@async :- p(X, N);
        s(X, 4 / N)@next :- p(X, N);)",
     R"(
1: p("a", 0) p("a", 2)
)"},
    {"NorDoAggregatesForTheTickAfterTheLast", "a b, eot 2",
     R"(p("a", 1)@2; p("a", "x")@2; q("b", sum<N>)@async :- p(X, N); r("b", N)@async :- p(X, N);)",
     R"(
1:
2: p("a", 1) p("a", "x")
)"},
    {"WhatIsSentBeforeTheLastTickFails", "a b, eot 2",
     R"(p("a", 0)@1; q("b", 4 / N)@async :- p(X, N);)",
     R"(
failed at 1: division-by-zero in `4 / N`
)"},
    {"LostMessagesStillFail", "a b, drop a>b@1", R"(p("a", 0)@1; q("b", 1 / N)@async :- p(X, N);)",
     R"(
failed at 1: division-by-zero in `1 / N`
)"},
};

const LanguageCase kOutcomes[] = {
    {"Holds", "a", R"(pre("a")@2; post("a")@2; post("b")@2; pre("b")@1;)", R"(
1: pre("b")
2: post("a") post("b") pre("a")
holds
)"},
    {"Violated", "a", R"(pre("a")@2; post("a")@2; pre("b")@2;)", R"(
1:
2: post("a") pre("a") pre("b")
violated
)"},
    {"Vacuous", "a", R"(pre("a")@1; post("a")@2;)", R"(
1: pre("a")
2: post("a")
vacuous
)"},
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace

std::vector<LanguageCase> language_cases() {
  std::vector<LanguageCase> all;
  const auto add = [&](const auto& part) {
    all.insert(all.end(), std::begin(part), std::end(part));
  };
  add(kTime);
  add(kLocations);
  add(kFaults);
  add(kBodies);
  add(kAggregates);
  add(kFailures);
  add(kOutcomes);
  return all;
}

Scenario scenario_of(const std::string& world) {
  Scenario scenario;
  scenario.program.eot = 2;
  const std::vector<std::string> parts = split(world, ',');
  scenario.nodes = split(parts[0], ' ');
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::vector<std::string> words = split(parts[i].substr(1), ' ');
    if (words[0] == "eot") scenario.program.eot = std::stoi(words[1]);
    if (words[0] == "stop") scenario.program.crash_model = CrashModel::kStop;
    if (words[0] == "drop") scenario.faults.insert(*parse_omission(words[1]));
    if (words[0] == "crash") scenario.faults.insert(*parse_crash(words[1]));
  }
  CHECK(validate(scenario).ok(), "not a valid scenario: {}", world);
  return scenario;
}

}  // namespace clew::twins
