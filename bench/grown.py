"""The protocols of this repository with more nodes, for bench/growth.

`PROTOCOLS[name].nodes(count)` gives the texts of the files that change: as many nodes of the kind
that a protocol has several of, which are the replicas of Kafka, the agents of a commit, the clients
of a lock. What else there is stays: one coordinator, three proposals, one message.
"""
from dataclasses import dataclass
from typing import Callable, Optional

from measure import ROOT


def names(count):
    return [chr(ord("a") + i) for i in range(count)]


def facts(relation, pairs, tick=1):
    return "".join(f'{relation}("{a}", "{b}")@{tick};\n' for a, b in pairs)


def kept(relation, pairs):
    return facts(relation, pairs) + f"{relation}(A, B)@next :- {relation}(A, B);\n"


def others(nodes):
    return [(a, b) for a in nodes for b in nodes if a != b]


def broadcast(count):
    return {"group.ded": kept("node", others(names(count))) + 'bcast("a", "data")@1;\n'}


def commit(count):
    """Agents; C coordinates."""
    agents = names(count)
    text = kept("agent", [("C", a) for a in agents]) + kept("peer", others(agents))
    return {"group.ded": text + kept("coordinator", [(a, "C") for a in agents]) + 'begin("C")@1;\n'}


def paxos(count):
    """Acceptors; three propose, however many accept."""
    nodes = names(count)
    text = kept("acceptor", [(a, b) for a in nodes for b in nodes])
    for ballot, (node, value, tick) in enumerate([("a", "x", 1), ("b", "y", 4), ("c", "z", 7)], 1):
        text += f'propose("{node}", {ballot}, "{value}")@{tick};\n'
    return {"cluster.ded": text}


def election(count):
    return {"group.ded": kept("node", others(names(count)))}


def raft(count):
    """The patience of the others goes on as that of the first three does: 2, 4, 6."""
    text = election(count)["group.ded"]
    for i, node in enumerate(names(count)[3:], 4):
        text += f'patience("{node}", {2 * i})@1;\nlast_term("{node}", 3)@1;\n'
    return {"group.ded": text}


def kafka_cluster(replicas, entries):
    """The entries are written at ticks 2, 3 and so on."""
    text = kept("replica", [("Z", r) for r in replicas])
    text += kept("zookeeper", [(r, "Z") for r in replicas]) + kept("client", [("Z", "C")])
    text += facts("heartbeat", [("Z", r) for r in replicas])
    text += facts("in_sync", [("a", r) for r in replicas])
    text += facts("leader", [("a", "a"), ("C", "a")])
    return text + "".join(facts("produce", [("C", e)], i) for i, e in enumerate(entries, 2))


def kafka(count):
    """Replicas; Z and C are there as well."""
    return {"cluster.ded": kafka_cluster(names(count), ["w"])}


def chain(count):
    """Members; the master M and the client C are there as well."""
    nodes = names(count)
    text = kept("watches", [("M", a) for a in nodes])
    text += kept("member", [(a, b) for a in ["C", *nodes] for b in nodes])
    text += kept("master", [(a, "M") for a in nodes])
    text += kept("client", [(a, "C") for a in ["M", *nodes]])
    return {"chain_group.ded": text + facts("heartbeat", [("M", a) for a in nodes])
            + 'wish("C", "w")@1;\n'}


def lease_with(tokens, clients):
    """lease.ded, its facts about clients and tokens replaced."""
    text = (ROOT / "protocols/locks/lease.ded").read_text(encoding="utf-8")
    told = ("service(\"", "store(\"", "writer(\"", "last_token(\"")
    rules = "".join(line for line in text.splitlines(True) if not line.startswith(told))
    text = facts("service", [(c, "L") for c in clients]) + facts("store", [(c, "S") for c in clients])
    text += facts("writer", [("S", c) for c in clients])
    return {"lease.ded": rules + text + f'last_token("L", {tokens})@1;\n'}


def lock(count):
    """Clients; the lock service L and the store S are there as well."""
    return lease_with(3, names(count))


@dataclass
class Protocol:
    file: str
    nodes: Optional[Callable[[int], dict]] = None


PROTOCOLS = {
    "simple-deliv": Protocol("broadcast/simple_deliv.ded", broadcast),
    "retry-deliv": Protocol("broadcast/retry_deliv.ded", broadcast),
    "redun-deliv": Protocol("broadcast/redun_deliv.ded", broadcast),
    "classic-deliv": Protocol("broadcast/classic_deliv.ded", broadcast),
    "ack-deliv": Protocol("broadcast/ack_deliv.ded", broadcast),
    "2pc": Protocol("commit/two_phase.ded", commit),
    "2pc-timeout": Protocol("commit/two_phase_timeout.ded", commit),
    "2pc-ctp": Protocol("commit/two_phase_ctp.ded", commit),
    "3pc": Protocol("commit/three_phase.ded", commit),
    "paxos": Protocol("consensus/paxos_synod.ded", paxos),
    "bully": Protocol("elections/bully.ded", election),
    "raft": Protocol("elections/raft.ded", raft),
    "lock": Protocol("locks/lease_lock.ded", lock),
    "lock-unfenced": Protocol("locks/lease_lock_unfenced.ded", lock),
    "kafka": Protocol("queues/kafka.ded", kafka),
    "primary-backup": Protocol("replication/primary_backup.ded"),
    "chain": Protocol("replication/chain.ded", chain),
    "chain-query": Protocol("replication/chain_query.ded", chain),
    "flux": Protocol("streams/flux.ded"),
}

# Why the others do not grow by nodes.
NOT_BY_NODES = {
    "primary-backup": "since the two servers are what it is about: each is the other's only peer",
    "flux": "since producers and consumers are pairs, and a pair is two",
}


@dataclass
class Extra:
    """A single question; `seconds` is what its processes get at least."""
    title: str
    file: str
    changes: Callable[[], dict]
    bounds: tuple
    seconds: float


EXTRA = [
    Extra("lock with 20 tokens", "locks/lease_lock.ded", lambda: lease_with(20, ["x", "y"]),
          (80, 78, 2), 300),
    Extra("Kafka with 9 nodes and 3 writes", "queues/kafka.ded",
          lambda: {"cluster.ded": kafka_cluster(names(9), ["u", "v", "w"])}, (60, 58, 3), 60),
]
