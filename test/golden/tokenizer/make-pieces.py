"""Writes pieces.json beside this file and the folders tinyllama, mistral and gemma: small tokenizers of SentencePiece's kind with the rules of these families,
and the ids and texts of `tokenizers` and `sentencepiece` for them.

The vocabularies are trained here, on the corpus of make-goldens.py. The chat templates are written in the formats of the families.
gguf: a model that sentencepiece trained, as the keys of a GGUF file, and the ids of sentencepiece.

pip install tokenizers transformers sentencepiece protobuf; python test/golden/tokenizer/make-pieces.py
"""

import importlib.util
import io
import json
import pathlib
import random

import sentencepiece
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

here = pathlib.Path(__file__).parent
spec = importlib.util.spec_from_file_location("goldens", here / "make-goldens.py")
goldens = importlib.util.module_from_spec(spec)
spec.loader.exec_module(goldens)

BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
SPACE = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
DECODERS = [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"}]
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
TINYLLAMA = "{% for message in messages %}\n{% if message['role'] == 'user' %}\n{{ '<|user|>\\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'system' %}\n{{ '<|system|>\\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'assistant' %}\n{{ '<|assistant|>\\n' + message['content'] + eos_token }}\n{% endif %}\n{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}"
MISTRAL = "{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + '[/INST]' }}{% elif message['role'] == 'assistant' %}{{ ' ' + message['content'] + eos_token }}{% else %}{{ raise_exception('Only user and assistant roles are supported!') }}{% endif %}{% endfor %}"
GEMMA = "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'assistant' %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}{{ '<start_of_turn>' + role + '\\n' + message['content'] | trim + '<end_of_turn>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif %}"
EXTRA = ["</s>", "a</s>b", "a</s> b", "a </s>\nb", "<s>[INST] hi[/INST] ok</s>[INST] on[/INST]", "[INST]", " [INST] ", "[INST]\n\n x", "x  [/INST]  y", "<start_of_turn>user\nhi<end_of_turn>\n<start_of_turn>model\n", "<bos>x", "<unk>", "a<unk>b", "▁", "a▁b", "▁▁ ▁", "<0x0A>", "<0xE2><0x96>", "\u2581\n\u2581", "\n\n\n", "a\n\n\nb", "  \n\n  ", "\t\t\t\t", "<s>", "<s> </s>", "<s>  x", "𐍈𐍉", "\u0958", "ᚠᛇᚻ", "ⵣ"]


def token(number, content, **more):
    return {"id": number, "content": content, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True, **more}


def learned(count, specials):
    """A vocabulary of special tokens, bytes and learned pieces, and the merges."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.train_from_iterator(goldens.CORPUS.split("\n"), trainers.BpeTrainer(vocab_size=count, show_progress=False))
    model = json.loads(tokenizer.to_str())["model"]
    pieces = sorted(model["vocab"], key=model["vocab"].get)
    return {text: number for number, text in enumerate(specials + BYTES + pieces)}, model["merges"]


def save(name, specials, *, parts, config, template, more=(), byte_fallback=True):
    vocabulary, merges = learned(450, specials)
    added = [token(number, text) for number, text in enumerate(specials)]
    added += [token(len(vocabulary) + at, text, **options) for at, (text, options) in enumerate(more)]
    model = {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None, "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": byte_fallback, "ignore_merges": False, "vocab": vocabulary, "merges": merges}
    folder = here / name
    folder.mkdir(exist_ok=True)
    whole = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "post_processor": None, **parts, "model": model}
    (folder / "tokenizer.json").write_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":")) + "\n")
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "clean_up_tokenization_spaces": False, "unk_token": "<unk>", **config, "chat_template": template}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings, ensure_ascii=False, indent=1) + "\n")
    return folder


def gguf(strings):
    """The kinds of tokens have the same numbers in sentencepiece's proto and in GGUF."""
    out = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(line for line in goldens.CORPUS.split("\n") if line), model_writer=out, vocab_size=420, model_type="bpe", byte_fallback=True, normalization_rule_name="identity", remove_extra_whitespaces=False, split_digits=True, allow_whitespace_only_pieces=True, num_threads=1, minloglevel=2)
    model = sentencepiece.SentencePieceProcessor(model_proto=out.getvalue())
    numbers = range(model.get_piece_size())
    kind = lambda n: 2 if model.is_unknown(n) else 3 if model.is_control(n) else 5 if model.is_unused(n) else 6 if model.is_byte(n) else 1
    own = [text for text in strings if not any(mark in text for mark in ["<s>", "</s>", "<unk>", "▁", "\x00"])]
    return {
        "tokens": [model.id_to_piece(n) for n in numbers],
        "types": [kind(n) for n in numbers],
        "scores": [model.get_score(n) for n in numbers],
        "strings": own,
        "ids": [model.encode(text) for text in own],
    }


def main():
    goldens.transformers.utils.chat_template_utils.datetime = goldens.Noon
    prepend = {"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"}, SPACE]}
    named = {"bos_token": "<s>", "eos_token": "</s>"}
    folders = [
        save("tinyllama", ["<unk>", "<s>", "</s>"], parts={"normalizer": prepend, "pre_tokenizer": None, "decoder": {"type": "Sequence", "decoders": [*DECODERS, STRIP]}}, config=named, template=TINYLLAMA),
        save(
            "mistral",
            ["<unk>", "<s>", "</s>"],
            parts={"normalizer": None, "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}, "decoder": {"type": "Sequence", "decoders": [*DECODERS, STRIP]}},
            config=named,
            template=MISTRAL,
            more=[("[INST]", {"rstrip": True}), ("[/INST]", {"lstrip": True})],
        ),
        save(
            "gemma",
            ["<pad>", "<eos>", "<bos>", "<unk>"],
            parts={"normalizer": SPACE, "pre_tokenizer": {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious", "invert": False}, "decoder": {"type": "Sequence", "decoders": DECODERS}},
            config={"bos_token": "<bos>", "eos_token": "<eos>", "pad_token": "<pad>"},
            template=GEMMA,
            more=[("<start_of_turn>", {}), ("<end_of_turn>", {}), ("\n\n", {"special": False}), ("\n\n\n", {"special": False})],
        ),
    ]
    strings = goldens.awkward() + EXTRA
    out = {"strings": strings, "tokenizers": {folder.name: goldens.goldens_of(folder, strings) for folder in folders}}
    dice = random.Random(11)
    for folder in folders:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        rows = [[dice.randrange(tokenizer.get_vocab_size()) for _ in range(dice.randrange(1, 20))] for _ in range(100)]
        out["tokenizers"][folder.name]["random"] = [{"ids": row, "text": tokenizer.decode(row, skip_special_tokens=False)} for row in rows]
    (here / "pieces.json").write_text(json.dumps({**out, "gguf": gguf(strings)}, ensure_ascii=False, separators=(",", ":")) + "\n")


main()
