"""Writes tiny random checkpoints beside this script, as transformers saves them, and what transformers, PEFT and PyTorch make of them.

Of each model, in float32 of its stored weights: the logits of two rows; the gradient of all weights of the mean cross-entropy
of the next tokens; of a LoRA adapter with two random factors the same gradient, and the factors after three steps of AdamW.

Run with any Python 3.10 or newer that has torch, transformers 5 and peft: python make-goldens.py
"""

import json
import pathlib
import shutil

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors.torch import save_file
from transformers import AutoModelForCausalLM, LlamaConfig, Qwen2Config, Qwen3Config

folder = pathlib.Path(__file__).parent
# Two rows of different length; a token that stands twice; the first and the last id.
rows = [[5, 299, 0, 17, 17, 203, 88, 150, 2, 61, 44], [7, 17, 250, 1, 1, 99]]
adam = {"lr": 0.01, "betas": (0.9, 0.999), "eps": 1e-4, "weight_decay": 0.1}
shape = dict(vocab_size=300, hidden_size=32, intermediate_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2)
scaling = dict(rope_type="llama3", rope_theta=10000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=64)
llama = lambda **more: LlamaConfig(**shape, max_position_embeddings=256, rope_parameters=scaling, **more)
qwen2 = lambda **more: Qwen2Config(**shape, max_position_embeddings=256, tie_word_embeddings=True, rope_parameters=dict(rope_type="default", rope_theta=1000000.0), **more)
qwen3 = lambda **more: Qwen3Config(**shape, head_dim=12, max_position_embeddings=256, **more)
models = [
    ("llama", llama(), torch.float32, "5GB", ["q_proj", "v_proj"]),
    ("qwen2", qwen2(), torch.float32, "5GB", ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]),
    ("qwen3", qwen3(attention_bias=True), torch.float32, "60KB", ["k_proj", "o_proj", "gate_proj", "down_proj"]),
    ("qwen3-bf16", qwen3(tie_word_embeddings=True), torch.bfloat16, "5GB", []),
    ("llama-f16", llama(attention_bias=True, mlp_bias=True), torch.float16, "5GB", []),
]


def randomise(model):
    """Weights that are no zeros, no ones and large enough to matter."""
    for name, parameter in model.named_parameters():
        noise = torch.randn(parameter.shape)
        with torch.no_grad():
            if "norm" in name:
                parameter.copy_(1 + 0.2 * noise)
            elif name.endswith(".bias"):
                parameter.copy_(0.2 * noise)
            else:
                parameter.copy_(noise * (0.3 if "embed" in name or "lm_head" in name else 0.2))


def logits_of(model, row):
    return model(input_ids=torch.tensor([row])).logits[0]


def loss_of(model):
    """Mean over all tokens that have one before them."""
    losses = [torch.nn.functional.cross_entropy(logits_of(model, row)[:-1], torch.tensor(row[1:]), reduction="sum") for row in rows]
    return sum(losses) / sum(len(row) - 1 for row in rows)


def gradients_of(model):
    model.zero_grad()
    loss = loss_of(model)
    loss.backward()
    return loss.item(), {name: parameter.grad.clone() for name, parameter in model.named_parameters() if parameter.requires_grad}


def lora_goldens(path, targets):
    """A saved adapter with two random factors, its gradient and three steps of AdamW."""
    base = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32, attn_implementation="eager")
    fresh = get_peft_model(base, LoraConfig(r=3, lora_alpha=12, target_modules=targets, task_type="CAUSAL_LM"))
    for name, parameter in fresh.named_parameters():
        if "lora_" in name:
            torch.nn.init.normal_(parameter, std=0.15)
    fresh.save_pretrained(path / "adapter")
    for extra in ["README.md"]:
        (path / "adapter" / extra).unlink(missing_ok=True)
    config = path / "adapter" / "adapter_config.json"
    values = json.loads(config.read_text())
    values["base_model_name_or_path"] = path.name
    config.write_text(json.dumps(values, indent=2, sort_keys=True) + "\n")
    base = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32, attn_implementation="eager")
    model = PeftModel.from_pretrained(base, path / "adapter", is_trainable=True)
    model.train(False)
    logits = [logits_of(model, row).detach() for row in rows]
    loss, gradients = gradients_of(model)
    optimiser = torch.optim.AdamW([parameter for parameter in model.parameters() if parameter.requires_grad], **adam)
    for _ in range(3):
        gradients_of(model)
        optimiser.step()
    stepped = {name: parameter.detach() for name, parameter in model.named_parameters() if parameter.requires_grad}
    plain = lambda name: name.removeprefix("base_model.model.").replace(".default", "")
    tensors = {f"gradient.{plain(name)}": value for name, value in gradients.items()}
    tensors |= {f"stepped.{plain(name)}": value for name, value in stepped.items()}
    return loss, tensors | {f"logits.{index}": value for index, value in enumerate(logits)}


def main():
    torch.manual_seed(5)
    for name, config, dtype, shard, targets in models:
        path = folder / name
        shutil.rmtree(path, ignore_errors=True)
        model = AutoModelForCausalLM.from_config(config, attn_implementation="eager")
        randomise(model)
        model.to(dtype).save_pretrained(path, max_shard_size=shard)
        (path / "generation_config.json").unlink(missing_ok=True)
        model = AutoModelForCausalLM.from_pretrained(path, dtype=torch.float32, attn_implementation="eager")
        losses = {}
        losses["full"], gradients = gradients_of(model)
        logits = {f"logits.{index}": logits_of(model, row).detach() for index, row in enumerate(rows)}
        expected = logits | ({f"gradient.{name}": value for name, value in gradients.items()} if targets else {})
        save_file({name: value.contiguous() for name, value in expected.items()}, path / "expected.safetensors")
        if targets:
            losses["lora"], tensors = lora_goldens(path, targets)
            save_file({name: value.contiguous() for name, value in tensors.items()}, path / "adapter" / "expected.safetensors")
        (path / "goldens.json").write_text(json.dumps({"rows": rows, "losses": losses}) + "\n")


main()
