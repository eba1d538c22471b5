"""Writes splits.json: small tokenizers with a `Digits` rule or with bytes as a fallback, and ids and texts as Hugging Face's `tokenizers`
gives them.

Run with any Python 3.10 or newer that has tokenizers: python make-splits.py
"""

import json
import pathlib

import tokenizers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers

here = pathlib.Path(__file__).parent
ALPHABET = sorted(pre_tokenizers.ByteLevel.alphabet())


def byte_level(digits, merges):
    """Merges join digits where the rule leaves them together, so that a split shows in the ids."""
    vocab = {text: place for place, text in enumerate(ALPHABET)}
    for one, two in merges:
        vocab[one + two] = len(vocab)
    tokenizer = Tokenizer(models.BPE(vocab, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def spelled(text):
    """A text in the alphabet of ByteLevel."""
    return pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text)[0][0]


def merges_of(*texts):
    merges = []
    for text in map(spelled, texts):
        for end in range(1, len(text)):
            pair = (text[:end], text[end])
            if pair not in merges:
                merges.append(pair)
    return merges


def fallback():
    vocab = {"<unk>": 0, **{f"<0x{byte:02X}>": byte + 1 for byte in range(256)}}
    for text in ["\u2581", "a", "b", "é", "ab", "\u2581a"]:
        vocab[text] = len(vocab)
    tokenizer = Tokenizer(models.BPE(vocab, [("a", "b"), ("\u2581", "a")], unk_token="<unk>", byte_fallback=True, fuse_unk=True))
    tokenizer.normalizer = normalizers.Replace(" ", "\u2581")
    tokenizer.decoder = decoders.Sequence([decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


PIECES = ["½", "½½", "²", "²³", "Ⅷ", "ⅧⅨ", "٣", "٣٤", "12", "1½", "x²", "a1", "1a", "¼1", "①", "①②", "〇", "㊿", "१२३", "𝟙𝟚", "🄀", "一", "⅓ cup", "٣ kg", "H₂O", "ab"]
TEXTS = PIECES + [" ".join(PIECES), "".join(PIECES), "\ufeff", "\ufeffab", "ab\ufeff", "a\ufeffb", "\ufeff\ufeff", " \ufeff", "\ufeff1", "é\ufeffé", "日\ufeff", "\u0000\ufeff", "\ufffe"]
IDS = {"fallback": [[0xEF + 1], [0xEF + 1, 0xBB + 1], [0xEF + 1, 0xBB + 1, 0xBF + 1], [0xEF + 1, 0xBB + 1, 0xBF + 1, 0xFF + 1], [0xC3 + 1, 0x28 + 1, 258], [258, 0x80 + 1, 0x81 + 1, 258], [0xF0 + 1, 0x9F + 1, 0x98 + 1, 0x80 + 1]]}


def main():
    merges = merges_of("x²", "1½", "a1", "1a", "½", "½½", "²", "²³", "Ⅷ", "ⅧⅨ", "٣", "٣٤", "12", "①", "①②", "१२", "𝟙", "𝟙𝟚", "ab")
    made = {
        "digits one by one": byte_level(pre_tokenizers.Digits(individual_digits=True), merges),
        "digits in runs": byte_level(pre_tokenizers.Digits(individual_digits=False), merges),
        "fallback": fallback(),
    }
    rows = {}
    for name, tokenizer in made.items():
        encoded = [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]
        ids = encoded + IDS.get(name, [])
        rows[name] = {
            "tokenizer": json.loads(tokenizer.to_str()),
            "encoded": [{"text": text, "ids": row} for text, row in zip(TEXTS, encoded)],
            "decoded": [{"ids": row, "text": tokenizer.decode(row, skip_special_tokens=False)} for row in ids],
        }
    (here / "splits.json").write_text(json.dumps({"tokenizers": tokenizers.__version__, "rows": rows}, ensure_ascii=True) + "\n")


main()
