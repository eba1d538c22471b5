"""Rows of `cairn export --what token-rows` in a batch of verl: its loss, and transformers' log-probabilities beside those in the rows.
Rows must be of the weights in MODEL (behaviour version 0 where a run began from them). usage: score_rows.py MODEL ROWS.jsonl"""

import json
import sys

import torch
import transformers
import verl
from verl import DataProto
from verl.trainer.ppo.core_algos import compute_policy_loss_vanilla
from verl.workers.config import ActorConfig

folder, file = sys.argv[1:]
with open(file) as source:
    rows = [row for row in map(json.loads, source) if set(row["behaviour_versions"]) == {0}]
prompt_length = max(len(row["prompts"]) for row in rows)
response_length = max(len(row["responses"]) for row in rows)


def left(values):
    return [0] * (prompt_length - len(values)) + values


def right(values):
    return values + [0] * (response_length - len(values))


def tensor(of, kind):
    return torch.tensor([of(row) for row in rows], dtype=kind)


responses = tensor(lambda row: right(row["responses"]), torch.long)
attention = tensor(lambda row: left([1] * len(row["prompts"])) + right([1] * len(row["responses"])), torch.long)
batch = DataProto.from_dict(
    tensors={
        "responses": responses,
        "input_ids": torch.cat([tensor(lambda row: left(row["prompts"]), torch.long), responses], dim=1),
        "attention_mask": attention,
        "position_ids": (attention.cumsum(-1) - 1).clamp(min=0),
        "response_mask": tensor(lambda row: right(row["response_mask"]), torch.long),
        "old_log_probs": tensor(lambda row: right(row["old_log_probs"]), torch.float32),
        "advantages": tensor(lambda row: right(row["advantages"]), torch.float32),
    }
).batch
model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
with torch.no_grad():
    logits = model(**{name: batch[name] for name in ("input_ids", "attention_mask", "position_ids")}).logits
    scores = torch.log_softmax(logits[:, prompt_length - 1 : -1], -1).gather(-1, batch["responses"][..., None])[..., 0]
mask = batch["response_mask"].bool()
gaps = (scores - batch["old_log_probs"])[mask].abs()
config = ActorConfig(strategy="fsdp", rollout_n=1, ppo_micro_batch_size_per_gpu=1, clip_ratio=0.2)
loss, figures = compute_policy_loss_vanilla(batch["old_log_probs"], scores, batch["advantages"], batch["response_mask"], config=config)
print(json.dumps({
    "verl": verl.__version__, "transformers": transformers.__version__, "rows": len(rows), "tokens": int(mask.sum()), "mean gap": gaps.mean().item(), "largest gap": gaps.max().item(),
    "verl's loss": loss.item(), "minus the mean advantage": -batch["advantages"][mask].mean().item(), "figures": {name: float(value) for name, value in figures.items()},
}))
