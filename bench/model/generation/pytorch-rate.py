"""Tokens a second that transformers writes with a Llama of the shape given, in float32 on one thread, by the number of rows at once.

Usage: python pytorch-rate.py CONFIG_AS_JSON PROMPT_TOKENS WRITTEN_TOKENS ROUNDS ROWS...; prints one JSON object.
"""

import json
import statistics
import sys
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

shape, prompt, written, rounds, *rows = json.loads(sys.argv[1]), *map(int, sys.argv[2:])
torch.set_num_threads(1)
torch.manual_seed(1)
config = LlamaConfig(
    vocab_size=shape["vocabulary"], hidden_size=shape["width"], num_hidden_layers=shape["layers"], num_attention_heads=shape["heads"],
    num_key_value_heads=shape["keyValueHeads"], intermediate_size=shape["hiddenWidth"], tie_word_embeddings=shape["tied"],
    max_position_embeddings=shape["longestContext"],
)
model = LlamaForCausalLM(config).eval()


def rate(count):
    ids = torch.randint(0, config.vocab_size, (count, prompt))
    start = time.perf_counter()
    with torch.inference_mode():
        model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=True, top_k=0, min_new_tokens=written, max_new_tokens=written, pad_token_id=0)
    return count * written / (time.perf_counter() - start)


rates = {}
for count in rows:
    rate(count)
    rates[count] = round(statistics.median(rate(count) for _ in range(rounds)))
print(json.dumps({"torch": torch.__version__, "tokensPerSecond": rates}))
