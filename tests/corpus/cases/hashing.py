"""Checksums, hashes and bits."""

import hashlib
import zlib

import numpy as np

from ..registry import Source, case, launch

CHECKSUMS = Source("hashing/checksums.cu")
SHA = Source("hashing/sha256.hip")
TABLE = Source("hashing/hash_table.cu")
BITS = Source("hashing/bits.hip")
COUNT, LENGTH = 100, 37


def messages(kind="u4"):
    return lambda r: {
        "x": r.integers(0, 256, (COUNT, LENGTH), "u1"),
        "out": np.zeros(COUNT, kind),
        "table": crc_table(),
    }


def crc_table():
    table = np.arange(256, dtype="u4")
    for _ in range(8):
        table = np.where(table & 1, table >> np.uint32(1) ^ np.uint32(0xEDB88320), table >> np.uint32(1))
    return table


def checksum(kernel, function, kind="u4", symbols=None):
    return case(
        CHECKSUMS,
        launch(kernel, 2, 64, "x", LENGTH, "out", COUNT),
        arrays=messages(kind),
        expect=lambda a: {"out": np.array([function(row.tobytes()) for row in a["x"]], kind)},
        symbols=symbols,
    )


def fnv(data):
    hashed = 14695981039346656037
    for byte in data:
        hashed = (hashed ^ byte) * 1099511628211 % 2**64
    return hashed


def sha(n=40):
    def arrays(r):
        return {"x": r.integers(0, 256, (n, 56), "u1"), "lengths": r.integers(0, 56, n).astype("i4"),
                "out": np.zeros((n, 32), "u1")}  # fmt: skip

    def expect(a):
        digests = [hashlib.sha256(row[:k].tobytes()).digest() for row, k in zip(a["x"], a["lengths"], strict=True)]
        return {"out": np.frombuffer(b"".join(digests), "u1").reshape(n, 32)}

    return case(SHA, launch("sha256", 1, 64, "x", "lengths", 56, "out", n), arrays=arrays, expect=expect)


def mining(first=1000, each=8, bits=6):
    def expect(_):
        for nonce in range(first, first + 128 * each):
            if hashlib.sha256(nonce.to_bytes(4, "little")).digest()[0] >> (8 - bits) == 0:
                return {"best": [nonce]}
        raise AssertionError("none")

    return case(SHA, launch("mine", 2, 64, first, bits, "best", each),
                arrays=lambda r: {"best": np.full(1, 2**32 - 1, "u4")}, expect=expect)  # fmt: skip


def hash_table(n=600, capacity=1024):
    def arrays(r):
        slots = np.zeros((capacity, 2), "u4")
        slots[:, 0] = 2**32 - 1
        return {"slots": slots, "keys": r.integers(0, 400, n).astype("u4") * 7919,
                "values": r.integers(0, 99, n).astype("u4"),
                "wanted": np.arange(500, dtype="u4") * 7919, "found": np.zeros(500, "u4")}  # fmt: skip

    def expect(a):
        sums = dict.fromkeys(a["keys"].tolist(), 0)
        for key, value in zip(a["keys"].tolist(), a["values"].tolist(), strict=True):
            sums[key] += value
        return {"found": np.array([sums.get(key, 2**32 - 1) for key in a["wanted"].tolist()], "u4")}

    return case(
        TABLE,
        launch("table::insert", 10, 64, "slots", capacity, "keys", "values", n),
        launch("table::lookup", 8, 64, "slots", capacity, "wanted", "found", 500),
        arrays=arrays,
        expect=expect,
    )


def words(r, n=200):
    numbers = r.integers(0, 2**32, n, "u4") >> r.integers(0, 32, n, "u4")
    numbers[:3] = 0, 1, 2**32 - 1
    return numbers


def counts(value, width):
    bits = value.bit_length()
    first = (value & -value).bit_length()
    return [value.bit_count(), width - bits, first]


def reverse(value, width):
    return int(f"{value:0{width}b}"[::-1], 2)


def spread(value):
    return sum((value >> i & 1) << 2 * i for i in range(32))


def packed(a):
    w = a["x"].view("<u4")[:, 0]
    return {"out": (w << np.uint32(7) | w >> np.uint32(25)) ^ (~w << np.uint32(5) | w >> np.uint32(27))}


CASES = [
    checksum("crc32Table", zlib.crc32, symbols={"crcTable": "table"}),
    checksum("crc32Bits", zlib.crc32),
    checksum("adler32", zlib.adler32),
    checksum("fnv1a", fnv, "u8"),
    case(
        CHECKSUMS,
        launch("makeTable", 1, 256),
        arrays=lambda r: {},
        expect=lambda a: {"symbol:madeTable": crc_table()},
    ),
    sha(),
    mining(),
    hash_table(),
    case(
        BITS,
        launch("bitCounts", 4, 64, "x", "out", 200),
        arrays=lambda r: {"x": words(r), "out": np.zeros((200, 4), "i4")},
        expect=lambda a: {"out": [[*counts(x, 32), x.bit_count() & 1] for x in a["x"].tolist()]},
    ),
    case(
        BITS,
        launch("bitCounts64", 4, 64, "x", "out", 200),
        arrays=lambda r: {"x": words(r).astype("u8") * np.uint64(2**32 - 5), "out": np.zeros((200, 3), "i4")},
        expect=lambda a: {"out": [counts(x, 64) for x in a["x"].tolist()]},
    ),
    case(
        BITS,
        launch("reversals", 4, 64, "x", "one", "other", "wide", 200),
        arrays=lambda r: {"x": words(r), "one": np.zeros(200, "u4"), "other": np.zeros(200, "u4"),
                          "wide": np.zeros(200, "u8")},
        expect=lambda a: dict.fromkeys(("one", "other"), np.array([reverse(x, 32) for x in a["x"].tolist()], "u4"))
        | {"wide": np.array([reverse(x, 64) for x in a["x"].tolist()], "u8")},
    ),
    case(
        BITS,
        launch("morton", 4, 64, "x", "codes", "gray", 200),
        arrays=lambda r: {"x": np.stack([words(r), words(r)], 1), "codes": np.zeros(200, "u8"),
                          "gray": np.zeros(200, "u4")},
        expect=lambda a: {"codes": np.array([spread(x) | spread(y) << 1 for x, y in a["x"].tolist()], "u8"),
                          "gray": a["x"][:, 0] ^ a["x"][:, 0] >> np.uint32(1)},
    ),
    case(
        BITS,
        launch("packBytes", 4, 64, "x", "out", 200),
        arrays=lambda r: {"x": r.integers(0, 256, (200, 4), "u1"), "out": np.zeros(200, "u4")},
        expect=packed,
    ),
]  # fmt: skip
