"""Writes tiny random LoRA adapters in PEFT's format beside this script, and what llama.cpp's own converter makes of them.

Of each family one adapter of all seven projections, none of whose numbers is zero. Two query heads share each key head. A llama's
heads have a width of 8, so that the order of their rows differs from its inverse; the factors of the feed-forward part are no
multiples of 32 bytes, so that there is padding between the tensors of the GGUF file.

Run with any Python 3.10 or newer that has torch, transformers 5 and safetensors: python make-goldens.py LLAMA_CPP
where LLAMA_CPP is the folder of llama.cpp's sources. Made with those in llama_cpp_python-0.3.36.tar.gz of PyPI.
"""

import json
import pathlib
import shutil
import subprocess
import sys

import torch
from safetensors.torch import save_file
from transformers import LlamaConfig, Qwen2Config, Qwen3Config

folder = pathlib.Path(__file__).parent
rank, alpha = 3, 12.5
shape = dict(vocab_size=300, hidden_size=16, intermediate_size=22, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=256)
configs = {
    "llama": LlamaConfig(**shape, head_dim=8),
    "qwen2": Qwen2Config(**shape),  # its heads have a width of 4
    "qwen3": Qwen3Config(**shape, head_dim=8),
}
architectures = {"llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM", "qwen3": "Qwen3ForCausalLM"}


def module_shapes(config):
    """(out, in) of the projections of one layer."""
    head = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    queries, keys = config.num_attention_heads * head, config.num_key_value_heads * head
    width, hidden = config.hidden_size, config.intermediate_size
    return {
        "self_attn.q_proj": (queries, width),
        "self_attn.k_proj": (keys, width),
        "self_attn.v_proj": (keys, width),
        "self_attn.o_proj": (width, queries),
        "mlp.gate_proj": (hidden, width),
        "mlp.up_proj": (hidden, width),
        "mlp.down_proj": (width, hidden),
    }


def write_adapter(path, name, config):
    """As PEFT stores it."""
    factors = {}
    for layer in range(config.num_hidden_layers):
        for module, (rows, columns) in module_shapes(config).items():
            prefix = f"base_model.model.model.layers.{layer}.{module}"
            factors[f"{prefix}.lora_A.weight"] = torch.randn(rank, columns)
            factors[f"{prefix}.lora_B.weight"] = torch.randn(rows, rank)
    assert all(bool((values != 0).all()) for values in factors.values())
    save_file(factors, path / "adapter_model.safetensors", metadata={"format": "pt"})
    targets = [module.split(".")[1] for module in module_shapes(config)]
    json_config = {"peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": name, "r": rank, "lora_alpha": alpha, "target_modules": targets, "bias": "none"}
    (path / "adapter_config.json").write_text(json.dumps(json_config, indent=2) + "\n")


def main():
    converter = pathlib.Path(sys.argv[1]) / "convert_lora_to_gguf.py"
    torch.manual_seed(6)
    for name, config in configs.items():
        path = folder / name
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        config.architectures = [architectures[name]]
        config.save_pretrained(path)
        write_adapter(path, name, config)
        subprocess.run([sys.executable, converter, "--base", path, "--outtype", "f32", "--outfile", path / "converted.gguf", path], check=True)


main()
