"""Writes llama.gguf, qwen2.gguf and qwen3.gguf from the small models in ../token-model, as llama.cpp's converter would.

The names of tensors come from the Python package `gguf`. The rows of a llama's queries and keys are permuted as in convert_hf_to_gguf.py.
llama: float32, with the rotary factors of Llama 3.1. qwen2: Q8_0 where rows have a multiple of 32 numbers. qwen3: float16.

pip install gguf numpy safetensors; python test/golden/gguf-model/make.py
"""

import json
import math
import pathlib

import gguf
import numpy as np
from safetensors.numpy import load_file

here = pathlib.Path(__file__).parent
archs = {"llama": gguf.MODEL_ARCH.LLAMA, "qwen2": gguf.MODEL_ARCH.QWEN2, "qwen3": gguf.MODEL_ARCH.QWEN3}
pre = {"llama": "llama-bpe", "qwen2": "qwen2", "qwen3": "qwen2"}


def byte_alphabet():
    kept = [*range(33, 127), *range(161, 173), *range(174, 256)]
    moved = [byte for byte in range(256) if byte not in kept]
    return [chr(byte) for byte in kept] + [chr(256 + at) for at in range(len(moved))]


def vocabulary(size):
    """Bytes, the merges of the first pairs of letters, and two special tokens."""
    tokens = byte_alphabet()
    letters = [chr(letter) for letter in range(ord("a"), ord("z") + 1)]
    pairs = [(one, other) for one in letters for other in letters][: size - len(tokens) - 2]
    merges = [f"{one} {other}" for one, other in pairs]
    tokens += [one + other for one, other in pairs] + ["<|start|>", "<|end|>"]
    return tokens[:size], merges


def permute(weights, heads):
    return weights.reshape(heads, 2, weights.shape[0] // heads // 2, *weights.shape[1:]).swapaxes(1, 2).reshape(weights.shape)


for family, arch in archs.items():
    source = here.parent / "token-model" / family
    config = json.loads((source / "config.json").read_text())
    heads, kv = config["num_attention_heads"], config["num_key_value_heads"]
    size = config["head_dim"] if config.get("head_dim") else config["hidden_size"] // heads
    writer = gguf.GGUFWriter(here / f"{family}.gguf", family)
    writer.add_type(gguf.GGUFType.MODEL)
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(kv)
    writer.add_key_length(size)
    writer.add_value_length(size)
    writer.add_rope_dimension_count(size)
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    theta = 500_000 if family == "llama" else (config.get("rope_parameters") or config)["rope_theta"]
    writer.add_rope_freq_base(theta)
    tokens, merges = vocabulary(max(300, config["vocab_size"]))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre[family])
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token.startswith("<|") else 1 for token in tokens])
    writer.add_token_merges(merges)
    writer.add_bos_token_id(len(tokens) - 2)
    writer.add_eos_token_id(len(tokens) - 1)
    writer.add_chat_template("{% for m in messages %}<|start|>{{ m.role }}\n{{ m.content }}<|end|>{% endfor %}{% if add_generation_prompt %}<|start|>assistant\n{% endif %}")
    if family == "llama":
        factors = []
        for pair in range(size // 2):
            wavelength = 2 * math.pi * theta ** (2 * pair / size)
            turns = 8192 / wavelength
            smooth = min(1, max(0, (turns - 1) / 3))
            factors.append(1 / ((1 - smooth) / 8 + smooth))
        writer.add_tensor("rope_freqs.weight", np.array(factors, np.float32))
    names = gguf.get_tensor_name_map(arch, config["num_hidden_layers"])
    stored_weights = {name: weights for file in sorted(source.glob("model*.safetensors")) for name, weights in load_file(file).items()}
    for name, weights in stored_weights.items():
        stored = names.get_name(name, try_suffixes=(".weight", ".bias"))
        if config["tie_word_embeddings"] and stored == "output.weight":
            continue
        if family == "llama" and "q_proj" in name:
            weights = permute(weights, heads)
        if family == "llama" and "k_proj" in name:
            weights = permute(weights, kv)
        if stored in ("token_embd.weight", "output.weight"):  # more tokens than the model has: their rows are 0
            weights = np.concatenate([weights, np.zeros((len(tokens) - weights.shape[0], weights.shape[1]), np.float32)])
        if family == "qwen2" and weights.ndim == 2 and weights.shape[1] % 32 == 0:
            kind = gguf.GGMLQuantizationType.Q8_0
            writer.add_tensor(stored, gguf.quants.quantize(weights, kind), raw_dtype=kind)
        elif family == "qwen3" and weights.ndim == 2:
            writer.add_tensor(stored, weights.astype(np.float16))
        else:
            writer.add_tensor(stored, weights)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
