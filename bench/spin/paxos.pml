/* Single-decree Paxos, as systems/paxos/paxos.h has it with one round: the same states.
 *
 *   spin -a -DPROPOSERS=2 -DACCEPTORS=3 paxos.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan -m1000000
 *
 * Messages overtake each other, and each is sent at most once: one under way is an element of an array,
 * which is faster here than a channel of its own.
 */

#ifndef PROPOSERS
#define PROPOSERS 2
#endif
#ifndef ACCEPTORS
#define ACCEPTORS 3
#endif
#define PAIRS (PROPOSERS * ACCEPTORS)

#define SEND(name, at, what) name[at] = what
#define WAITS(name, at) name[at] != 0
#define TAKE(name, at) message = name[at]; name[at] = 0

/* Between proposer p and acceptor a: at p * ACCEPTORS + a. A promise is 1 + 16 * the ballot that was accepted
 * + its value, an accept is the value. The ballot of proposer p is p + 1. */
byte prepare[PAIRS] = 1;
byte promise[PAIRS];
byte accept[PAIRS];
byte accepted[PAIRS];

byte chosen[PROPOSERS];
hidden byte message, i;

#define HAS(set, n) ((set >> n) & 1)
#define MAJORITY(set) (HAS(set, 0) + HAS(set, 1) + HAS(set, 2) + HAS(set, 3) + HAS(set, 4) > ACCEPTORS / 2)

#define SEND_ALL(name, what)                                                  \
  i = 0;                                                                      \
  do                                                                          \
  :: i < ACCEPTORS -> SEND(name, self * ACCEPTORS + i, what); i++             \
  :: else -> break                                                            \
  od

#define RECEIVE_PROMISE(a)                                                    \
  d_step {                                                                    \
    WAITS(promise, self * ACCEPTORS + a) -> TAKE(promise, self * ACCEPTORS + a); \
    if                                                                        \
    :: phase == 0 ->                                                          \
       message = message - 1;                                                 \
       if                                                                     \
       :: message / 16 > best -> best = message / 16; value = message % 16    \
       :: else                                                                \
       fi;                                                                    \
       heard = heard | (1 << a);                                              \
       if                                                                     \
       :: MAJORITY(heard) -> phase = 1; heard = 0; SEND_ALL(accept, value)    \
       :: else                                                                \
       fi                                                                     \
    :: else                                                                   \
    fi                                                                        \
  }

#define RECEIVE_ACCEPTED(a)                                                   \
  d_step {                                                                    \
    WAITS(accepted, self * ACCEPTORS + a) -> TAKE(accepted, self * ACCEPTORS + a); \
    if                                                                        \
    :: phase == 1 ->                                                          \
       heard = heard | (1 << a);                                              \
       if                                                                     \
       :: MAJORITY(heard) -> phase = 2; heard = 0; chosen[self] = value; AGREE \
       :: else                                                                \
       fi                                                                     \
    :: else                                                                   \
    fi                                                                        \
  }

#define AGREE                                                                 \
  i = 0;                                                                      \
  do                                                                          \
  :: i < PROPOSERS -> assert(chosen[i] == 0 || chosen[i] == value); i++       \
  :: else -> break                                                            \
  od

active [PROPOSERS] proctype proposer() {
  byte self = _pid;
  byte phase, heard, best;
  byte value = _pid + 1;
end:
  do
  :: RECEIVE_PROMISE(0)
  :: RECEIVE_ACCEPTED(0)
#if ACCEPTORS > 1
  :: RECEIVE_PROMISE(1)
  :: RECEIVE_ACCEPTED(1)
#endif
#if ACCEPTORS > 2
  :: RECEIVE_PROMISE(2)
  :: RECEIVE_ACCEPTED(2)
#endif
#if ACCEPTORS > 3
  :: RECEIVE_PROMISE(3)
  :: RECEIVE_ACCEPTED(3)
#endif
#if ACCEPTORS > 4
  :: RECEIVE_PROMISE(4)
  :: RECEIVE_ACCEPTED(4)
#endif
  od
}

#define RECEIVE_PREPARE(p)                                                    \
  d_step {                                                                    \
    WAITS(prepare, p * ACCEPTORS + self) -> TAKE(prepare, p * ACCEPTORS + self); \
    if                                                                        \
    :: p + 1 > promised ->                                                    \
       promised = p + 1;                                                      \
       SEND(promise, p * ACCEPTORS + self, 1 + 16 * ballot + value)           \
    :: else                                                                   \
    fi                                                                        \
  }

#define RECEIVE_ACCEPT(p)                                                     \
  d_step {                                                                    \
    WAITS(accept, p * ACCEPTORS + self) -> TAKE(accept, p * ACCEPTORS + self); \
    if                                                                        \
    :: p + 1 >= promised ->                                                   \
       promised = p + 1;                                                      \
       ballot = p + 1;                                                        \
       value = message;                                                       \
       SEND(accepted, p * ACCEPTORS + self, 1)                                \
    :: else                                                                   \
    fi                                                                        \
  }

active [ACCEPTORS] proctype acceptor() {
  byte self = _pid - PROPOSERS;
  byte promised, ballot, value;
end:
  do
  :: RECEIVE_PREPARE(0)
  :: RECEIVE_ACCEPT(0)
#if PROPOSERS > 1
  :: RECEIVE_PREPARE(1)
  :: RECEIVE_ACCEPT(1)
#endif
#if PROPOSERS > 2
  :: RECEIVE_PREPARE(2)
  :: RECEIVE_ACCEPT(2)
#endif
  od
}
