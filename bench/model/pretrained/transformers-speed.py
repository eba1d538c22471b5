"""How fast transformers reads and writes with a checkpoint folder, in one thread.

Usage: python transformers-speed.py FOLDER float32|bfloat16 READ WRITTEN; prints one JSON object: seconds by the clock and of the processor.
"""

import json
import sys
import time

import torch
from transformers import AutoModelForCausalLM

folder, dtype, read, written = sys.argv[1], getattr(torch, sys.argv[2]), *map(int, sys.argv[3:])
torch.set_num_threads(1)
model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype).eval()
torch.manual_seed(1)


def measure():
    ids = torch.randint(10, model.config.vocab_size, (1, read))
    with torch.inference_mode():
        begun = (time.perf_counter(), time.process_time())
        out = model(input_ids=ids, use_cache=True, logits_to_keep=1)
        middle = (time.perf_counter(), time.process_time())
        for _ in range(written):
            token = out.logits[:, -1].argmax(-1, keepdim=True)
            out = model(input_ids=token, past_key_values=out.past_key_values, use_cache=True)
        end = (time.perf_counter(), time.process_time())
    part = lambda start, stop: {"clock": stop[0] - start[0], "processor": stop[1] - start[1]}
    return {"read": part(begun, middle), "write": part(middle, end)}


measure()
print(json.dumps(measure()))
