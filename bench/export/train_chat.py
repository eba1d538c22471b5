"""TRL's SFTTrainer and verl's data set of conversations on what `cairn export --what chat` wrote. usage: train_chat.py MODEL CHAT.jsonl"""

import json
import sys
import tempfile

import torch
import transformers
import trl
import verl
from datasets import load_dataset
from omegaconf import OmegaConf
from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

folder, chat = sys.argv[1:]
tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
lines = load_dataset("json", data_files=chat, split="train")

with tempfile.TemporaryDirectory() as place:
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    config = trl.SFTConfig(
        output_dir=place, per_device_train_batch_size=4, max_steps=12, learning_rate=5e-4, logging_steps=3, max_length=1024,
        use_cpu=True, bf16=False, report_to=[], save_strategy="no",
    )
    trainer = trl.SFTTrainer(model=model, args=config, train_dataset=lines, processing_class=tokenizer)
    trainer.train()
    losses = [float(entry["loss"]) for entry in trainer.state.log_history if "loss" in entry]

    parquet = f"{place}/chat.parquet"
    lines.to_parquet(parquet)
    settings = {"truncation": "error", "max_length": 2048, "messages_key": "messages", "pad_mode": "right"}
    taught = MultiTurnSFTDataset(parquet_files=parquet, tokenizer=tokenizer, config=OmegaConf.create(settings))
    same = 0
    for at, line in enumerate(lines):
        row = taught[at]
        learned = tokenizer.decode(row["input_ids"][row["loss_mask"].bool()])
        said = "".join(message["content"] + tokenizer.eos_token for message in line["messages"] if message["role"] == "assistant")
        same += learned == said

print(json.dumps({"trl": trl.__version__, "verl": verl.__version__, "transformers": transformers.__version__, "losses": losses, "episodes": len(lines), "verl learns what the agent said": same}))
