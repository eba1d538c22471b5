"""Prints how long PyTorch takes for the training step of token-training.ts, which calls this with the model's config as JSON."""

import json
import math
import sys
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

of = json.loads(sys.argv[1])
torch.set_num_threads(1)
torch.manual_seed(1)
model = LlamaForCausalLM(
    LlamaConfig(
        vocab_size=of["vocabulary"],
        hidden_size=of["width"],
        num_hidden_layers=of["layers"],
        num_attention_heads=of["heads"],
        num_key_value_heads=of["keyValueHeads"],
        intermediate_size=of["hiddenWidth"],
        max_position_embeddings=of["longestContext"],
        tie_word_embeddings=of["tied"],
    )
)
tokens = torch.randint(of["vocabulary"], (of["rows"], of["length"]))
advantage = torch.rand(of["rows"], of["length"] - 1) * 2 - 1
optimiser = torch.optim.AdamW(model.parameters(), lr=1e-4, weight_decay=0.01)


def step():
    optimiser.zero_grad()
    logits = model(input_ids=tokens).logits[:, :-1]
    logprob = -torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten(), reduction="none").view_as(advantage)
    ratio = torch.exp(logprob + math.log(of["vocabulary"]))
    torch.maximum(-advantage * ratio, -advantage * ratio.clamp(0.8, 1.28)).mean().backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
    optimiser.step()


times, processor_times = [], []
for turn in range(-of["warmUp"], of["rounds"]):
    start, used = time.perf_counter(), time.process_time()
    step()
    if turn >= 0:
        times.append((time.perf_counter() - start) * 1000)
        processor_times.append((time.process_time() - used) * 1000)
print(json.dumps({"version": torch.__version__, "times": times, "processorTimes": processor_times}))
