"""Prints how fast PyTorch (eager, float32) trains and writes with the model of large-model.ts, which calls this with the config as JSON."""

import json
import math
import statistics
import sys
import time

import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

of = json.loads(sys.argv[1])
torch.manual_seed(1)
device = of["device"]


def wait():
    if device == "cuda":
        torch.cuda.synchronize()


model = Qwen2ForCausalLM(
    Qwen2Config(
        vocab_size=of["vocabulary"],
        hidden_size=of["width"],
        num_hidden_layers=of["layers"],
        num_attention_heads=of["heads"],
        num_key_value_heads=of["keyValueHeads"],
        intermediate_size=of["hiddenWidth"],
        max_position_embeddings=of["longestContext"],
        rope_theta=of["ropeTheta"],
        tie_word_embeddings=of["tied"],
    )
).to(device=device, dtype=torch.float32)


def train(with_adapter):
    trained = model
    if with_adapter:
        from peft import LoraConfig, get_peft_model

        names = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
        trained = get_peft_model(model, LoraConfig(r=of["rank"], lora_alpha=of["alpha"], target_modules=names))
    tokens = torch.randint(of["vocabulary"], (of["rows"], of["length"]), device=device)
    advantage = torch.rand(of["rows"], of["length"] - 1, device=device) * 2 - 1
    optimiser = torch.optim.AdamW([p for p in trained.parameters() if p.requires_grad], lr=1e-4, weight_decay=0.01)

    def step():
        optimiser.zero_grad()
        logits = trained(input_ids=tokens, use_cache=False).logits[:, :-1]
        logprob = -torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none").view_as(advantage)
        ratio = torch.exp(logprob - logprob.detach())
        torch.maximum(-advantage * ratio, -advantage * ratio.clamp(0.8, 1.28)).mean().backward()
        torch.nn.utils.clip_grad_norm_(trained.parameters(), 1)
        optimiser.step()

    times = []
    for turn in range(-2, of["rounds"]):
        wait()
        start = time.perf_counter()
        step()
        wait()
        if turn >= 0:
            times.append(time.perf_counter() - start)
    return {"ms": round(1000 * statistics.median(times), 1), "tokensPerSecond": round(of["rows"] * of["length"] / statistics.median(times))}


def write():
    prompts = torch.randint(of["vocabulary"], (of["episodes"], of["promptTokens"]), device=device)
    count = of["writtenTokens"]

    def generate():
        wait()
        start = time.perf_counter()
        with torch.no_grad():
            model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=count, min_new_tokens=count, do_sample=True, temperature=1.0, top_k=0, top_p=1.0, pad_token_id=0)
        wait()
        return time.perf_counter() - start

    generate()
    seconds = statistics.median(generate() for _ in range(min(3, of["rounds"])))
    return {"tokensPerSecond": round(of["episodes"] * count / seconds), "msPerTokenOfAll": round(1000 * seconds / count, 1)}


def multiply():
    found = []
    for case in of["products"]:
        rows, depth, columns = case["rows"], case["depth"], case["columns"]
        left = torch.rand((depth, rows) if case["turnsLeft"] else (rows, depth), device=device) - 0.5
        right = torch.rand((columns, depth) if case["turnsRight"] else (depth, columns), device=device) - 0.5
        left, right = left.T if case["turnsLeft"] else left, right.T if case["turnsRight"] else right
        best = math.inf
        for turn in range(-2, of["rounds"]):
            wait()
            start = time.perf_counter()
            for _ in range(10):
                torch.mm(left, right)
            wait()
            if turn >= 0:
                best = min(best, time.perf_counter() - start)
        found.append({**case, "gflops": round(2 * rows * depth * columns * 10 / best / 1e9)})
    return {"products": found, "gflops": max(one["gflops"] for one in found)}


measures = {"products": multiply, "decode": write}
found = measures.get(of["part"], lambda: train(of["part"].startswith("adapter")))()
on_gpu = {"tf32": torch.backends.cuda.matmul.allow_tf32, "peakGiB": round(torch.cuda.max_memory_allocated() / 2**30, 1)} if device == "cuda" else {}
print(json.dumps({"torch": torch.__version__, "device": torch.cuda.get_device_name() if device == "cuda" else device, **on_gpu, **found}))
