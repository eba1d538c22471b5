"""Writes the log-probabilities that transformers' warpers leave of random logits, in float64: temperature, top-k, top-p, min-p.

Run with any Python 3.10 or newer that has torch and transformers 5: python make-goldens.py > goldens.json
"""

import itertools
import json

import torch
from transformers import MinPLogitsWarper, TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

torch.manual_seed(3)
cases = []
for temperature, top_k, top_p, min_p in itertools.product([0.5, 1.0, 1.7], [None, 1, 6], [None, 0.15, 0.8], [None, 0.2]):
    logits = (2 * torch.randn(1, 24)).float()
    scores = TemperatureLogitsWarper(temperature)(None, logits.double())
    if top_k is not None:
        scores = TopKLogitsWarper(top_k)(None, scores)
    if top_p is not None:
        scores = TopPLogitsWarper(top_p)(None, scores)
    if min_p is not None:
        scores = MinPLogitsWarper(min_p)(None, scores)
    logprobs = [None if value == float("-inf") else value for value in torch.log_softmax(scores, -1)[0].tolist()]
    filters = {"temperature": temperature, "topK": top_k, "topP": top_p, "minP": min_p}
    decoding = {name: value for name, value in filters.items() if value is not None}
    cases.append({"decoding": decoding, "logits": logits[0].tolist(), "logprobs": logprobs})
print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")
