#!/usr/bin/python3
"""Makes quant_cases.bin: random blocks of every format with a decoder, and the values they stand for.

An independent derivation from the text of the spec (section C), in float64 with numpy, for tests/unit/quant_test.cpp.
Shares no code with src/core. Run it again after adding a format:

    /usr/bin/python3 tests/data/make_quant_cases.py tests/data/quant_cases.bin

The file is a list of cases, all little endian: u32 ggml type, u32 values, u32 bytes of the blocks, the blocks, the
values as float32.
"""
import hashlib
import struct
import sys

import numpy as np

GRID_DIFFERENCES = """
    0 2 3 3 2 7 3 12 2 6 2 23 3 12 8 9 3 28 2 8 24 95 3 12 5 43 68 20 104 2 32 96 383 3 12 17 3 28 2 6 24 33 3
    12 20 92 2 6 24 38 35 23 17 120 7 48 68 32 348 5 3 12 20 25 3 12 2 54 124 60 194 18 1517 3 12 17 31 32 36 12
    5 107 8 24 48 10 38 164 33 443 8 24 5 36 55 152 74 158 22 491 3 12 48 65 127 5 155 177 1455 2 8 58 29 31 2
    167 31 184 2 511 3 12 48 22 170 65 35 300 376 24 116 432 5565 3 12 8 9 3 28 8 14 10 33 3 12 112 32 65 31 5
    124 15 56 14 18 408 8 24 96 25 121 18 220 513 3 12 48 5 187 88 9 33 195 75 1392 8 9 8 7 96 8 124 62 98 237
    511 2 120 247 83 428 17 8 75 220 200 1532 12 48 40 152 85 195 72 416 5 267 2 114 702 6078 2 8 55 65 130 20
    40 209 496 3 12 5 43 32 160 70 78 117 55 32 418 258 269 1523 12 20 28 97 117 106 197 443 34 34 269 816 159
    1762 78 53 132 247 536 1080 180
"""
GRID_SHA256 = "915952ebc4af8ddba8113583ca1316fc818843f7b825bbf1a25ae1c39bf0e16d"


def grid():
    """[256][8] magnitudes."""
    codes = np.cumsum([int(word) for word in GRID_DIFFERENCES.split()]).astype("<u2")
    assert hashlib.sha256(codes.tobytes()).hexdigest() == GRID_SHA256
    digits = (codes[:, None].astype(np.int64) // 4 ** np.arange(8)) % 4
    return np.array([8, 25, 43])[digits]


GRID = grid()


def half(two_bytes):
    return float(np.frombuffer(two_bytes, "<f2")[0])


def f32(block):
    return np.frombuffer(block, "<f4").astype(np.float64)


def f16(block):
    return np.frombuffer(block, "<f2").astype(np.float64)


def bf16(block):
    return f32(b"\0\0" + block)


def i32(block):
    return np.frombuffer(block, "<i4").astype(np.float64)


def q8_0(block):
    return half(block[:2]) * np.frombuffer(block[2:], "i1").astype(np.float64)


def q2_k(block):
    scales, quants, d, dmin = block[:16], block[16:80], half(block[80:82]), half(block[82:84])
    out = []
    for k in range(16):
        for e in range(16 * k, 16 * k + 16):
            n, r = divmod(e, 128)
            q = quants[32 * n + r % 32] // 4 ** (r // 32) % 4
            out.append(d * (scales[k] % 16) * q - dmin * (scales[k] // 16))
    return np.array(out)


def q4_k(block):
    d, dmin, s, quants = half(block[0:2]), half(block[2:4]), block[4:16], block[16:]
    out = []
    for j in range(8):
        if j < 4:
            scale, minimum = s[j] % 64, s[j + 4] % 64
        else:
            scale = s[j + 4] % 16 + 16 * (s[j - 4] // 64)
            minimum = s[j + 4] // 16 + 16 * (s[j] // 64)
        for i in range(32):
            byte = quants[32 * (j // 2) + i]
            q = byte // 16 if j % 2 else byte % 16
            out.append(d * scale * q - dmin * minimum)
    return np.array(out)


def iq2_xxs(block):
    d = half(block[:2])
    out = []
    for group in range(8):
        indices = block[2 + 8 * group : 6 + 8 * group]
        (word,) = struct.unpack("<I", block[6 + 8 * group : 10 + 8 * group])
        scale = d * (word // 2**28 + 0.5) / 4
        for octet in range(4):
            signs = [int(bit) for bit in reversed(f"{word // 128**octet % 128:07b}")]
            signs.append(sum(signs) % 2)
            out.extend(scale * GRID[indices[octet]] * np.array([-1 if sign else 1 for sign in signs]))
    return np.array(out)


def mxfp4(block):
    values = [0, 0.5, 1, 1.5, 2, 3, 4, 6]
    values += [-value for value in values]
    codes = [byte % 16 for byte in block[1:]] + [byte // 16 for byte in block[1:]]
    return 2.0 ** (block[0] - 127) * np.array([float(values[code]) for code in codes])


# ggml type: block bytes, where halves lie, decoder
FORMATS = {
    0: (4, [], f32),
    1: (2, [0], f16),
    30: (2, [], bf16),
    26: (4, [], i32),
    8: (34, [0], q8_0),
    10: (84, [80, 82], q2_k),
    12: (144, [0, 2], q4_k),
    16: (66, [0], iq2_xxs),
    39: (17, [], mxfp4),
}


def is_finite(block, halves):
    return all(np.isfinite(half(block[at : at + 2])) for at in halves)


def random_blocks(rng, n_bytes, halves, decode):
    """Four to sixty-four finite blocks; every bit pattern of the fields may occur."""
    blocks, values = b"", []
    n_blocks = 64 if n_bytes <= 4 else 4
    while len(blocks) < n_blocks * n_bytes:
        block = rng.bytes(n_bytes)
        if not is_finite(block, halves):
            continue
        with np.errstate(over="ignore"):
            decoded = decode(block).astype("<f4")
        if np.isfinite(decoded).all():
            blocks += block
            values.append(decoded)
    return blocks, np.concatenate(values)


def main():
    rng = np.random.RandomState(20240607)
    with open(sys.argv[1], "wb") as out:
        for ggml_type, (n_bytes, halves, decode) in FORMATS.items():
            blocks, values = random_blocks(rng, n_bytes, halves, decode)
            out.write(struct.pack("<III", ggml_type, len(values), len(blocks)) + blocks + values.tobytes())


if __name__ == "__main__":
    main()
