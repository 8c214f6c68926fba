#!/usr/bin/python3
"""Makes two inputs of the gguf fuzzer in tests/fuzz/seeds/gguf from models/tiny-q4.gguf with a small vocabulary.

tiny-directory: the first byte 1 (more of the file follows) and the directory, one layer of each kind.
tiny-whole: the first byte 0 and a whole file: two layers whose dimensions are as small as they can be, all float32.
"""
import pathlib
import struct

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WINDOW, SPARSE, HEAVY = 0, 2, 3  # layers of the tiny model; the first is hash-routed
# Without a sparse layer each dimension of the tiny model stands for one of the smallest.
SMALLEST_DIMS = {1024: 8, 512: 8, 256: 2, 128: 8, 8: 1}
SMALLEST = {"embedding_length": 2, "attention.head_count": 1, "attention.key_length": 8, "attention.value_length": 8,
            "rope.dimension_count": 2, "attention.q_lora_rank": 2, "attention.output_lora_rank": 2,
            "attention.output_group_count": 1, "attention.indexer.key_length": 2, "expert_count": 1,
            "expert_used_count": 1, "expert_feed_forward_length": 2}
F32, I32 = 0, 26
N_MERGES = 8
N_SPECIAL = 8
SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
STRING, ARRAY = 8, 9
BLOCKS = {0: (1, 4), 1: (1, 2), 8: (32, 34), 10: (256, 84), 12: (256, 144), 16: (256, 66), 26: (1, 4)}
ALIGNMENT = 32


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def scalar(self, kind):
        value, = struct.unpack_from(SCALARS[kind], self.data, self.at)
        self.at += struct.calcsize(SCALARS[kind])
        return value

    def string(self):
        size = self.scalar(10)
        self.at += size
        return self.data[self.at - size:self.at].decode()

    def value(self, kind):
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            element, count = self.scalar(4), self.scalar(10)
            return element, [self.value(element) for _ in range(count)]
        return self.scalar(kind)


def packed(kind, value):
    if kind == STRING:
        return struct.pack("<Q", len(value.encode())) + value.encode()
    if kind == ARRAY:
        element, values = value
        return struct.pack("<IQ", element, len(values)) + b"".join(packed(element, v) for v in values)
    return struct.pack(SCALARS[kind], value)


def read(data):
    reader = Reader(data)
    _magic, _version, n_tensors, n_metadata = (reader.scalar(kind) for kind in (4, 4, 10, 10))
    metadata = {}
    for _ in range(n_metadata):
        key, kind = reader.string(), reader.scalar(4)
        metadata[key] = (kind, reader.value(kind))
    tensors = []
    for _ in range(n_tensors):
        name = reader.string()
        dims = [reader.scalar(10) for _ in range(reader.scalar(4))]
        tensors.append((name, dims, reader.scalar(4)))
        reader.scalar(10)  # the offset
    return metadata, tensors


def small_vocabulary(metadata):
    """Every byte, some special tokens, and the first merges of two bytes. Changes metadata; its new size."""
    tokens, types = metadata["tokenizer.ggml.tokens"][1][1], metadata["tokenizer.ggml.token_type"][1][1]
    pairs = [merge for merge in metadata["tokenizer.ggml.merges"][1][1] if len(merge) == 3][:N_MERGES]
    merged = {pair.replace(" ", "") for pair in pairs}
    special = [i for i, kind in enumerate(types) if kind in (3, 4)][:N_SPECIAL]
    kept = [i for i, token in enumerate(tokens) if len(token) == 1 or token in merged or i in special]
    metadata["tokenizer.ggml.tokens"] = (ARRAY, (STRING, [tokens[i] for i in kept]))
    metadata["tokenizer.ggml.token_type"] = (ARRAY, (5, [types[i] for i in kept]))
    metadata["tokenizer.ggml.merges"] = (ARRAY, (STRING, pairs))
    for key, (kind, value) in metadata.items():
        if key.startswith("tokenizer.ggml.") and key.endswith("token_id"):
            metadata[key] = (kind, kept.index(value) if value in kept else 0)
    return len(tokens), len(kept)


def keep_layers(layers, metadata, tensors):
    n_layers = metadata["deepseek4.block_count"][1]
    for key, (kind, value) in metadata.items():
        if key.startswith("deepseek4.") and kind == ARRAY and len(value[1]) >= n_layers:
            metadata[key] = (ARRAY, (value[0], [value[1][i] for i in layers]))
    metadata["deepseek4.block_count"] = (4, len(layers))
    metadata["deepseek4.hash_layer_count"] = (4, 1)
    for name, dims, kind in tensors:
        if not name.startswith("blk."):
            yield name, dims, kind
            continue
        _, index, rest = name.split(".", 2)
        if int(index) in layers:
            yield f"blk.{layers.index(int(index))}.{rest}", dims, kind


def make_smallest(metadata, tensors):
    for key, value in SMALLEST.items():
        metadata["deepseek4." + key] = (4, value)
    kind, (element, ratios) = metadata["deepseek4.attention.compress_ratios"]
    ratios = [SMALLEST_DIMS.get(ratio, ratio) for ratio in ratios]
    metadata["deepseek4.attention.compress_ratios"] = (kind, (element, ratios))
    for name, dims, kind in tensors:
        if kind == I32:
            yield name, [1, *dims[1:]], kind  # experts by token
        else:
            yield name, [SMALLEST_DIMS.get(dim, dim) for dim in dims], F32


def directory(tensors):
    out, offset, n = b"", 0, 0
    for name, dims, kind in tensors:
        n_values = 1
        for dim in dims:
            n_values *= dim
        out += packed(STRING, name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, kind, offset)
        block_values, block_bytes = BLOCKS[kind]
        offset += -(-n_values // block_values * block_bytes // ALIGNMENT) * ALIGNMENT
        n += 1
    return n, out, offset


def write_seed(name, layers, smallest):
    metadata, tensors = read((ROOT / "models/tiny-q4.gguf").read_bytes())
    old_vocab, new_vocab = small_vocabulary(metadata)
    metadata["deepseek4.vocab_size"] = (4, new_vocab)
    tensors = keep_layers(layers, metadata, tensors)
    if smallest:
        tensors = make_smallest(metadata, tensors)
    tensors = [(name, [new_vocab if dim == old_vocab else dim for dim in dims], kind) for name, dims, kind in tensors]
    n_tensors, entries, n_data_bytes = directory(tensors)
    header = b"GGUF" + struct.pack("<IQQ", 3, n_tensors, len(metadata))
    for key, (kind, value) in metadata.items():
        header += packed(STRING, key) + struct.pack("<I", kind) + packed(kind, value)
    header += entries
    header += bytes(-len(header) % ALIGNMENT)
    path = ROOT / "tests/fuzz/seeds/gguf" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\x00" + header + bytes(n_data_bytes) if smallest else b"\x01" + header)


if __name__ == "__main__":
    write_seed("tiny-directory", [WINDOW, SPARSE, HEAVY], smallest=False)
    write_seed("tiny-whole", [WINDOW, HEAVY], smallest=True)
