"""Token set ratios as thefuzz 0.19.0 computes them without python-Levenshtein, which WebShop's requirements do not name.

python3 -m venv v && v/bin/pip install thefuzz==0.19.0 && v/bin/python make-goldens.py > goldens.json
"""
import json
import random
import sys
import warnings

warnings.simplefilter("ignore")
from thefuzz import fuzz  # noqa: E402

assert fuzz.SequenceMatcher.__module__ == "difflib", "python-Levenshtein is installed: its ratios differ"
words = (
    "navy blue dark-blue size 8 wide x-large xx-large pack of 12 essential oil oils natural ingredients machine wash hand "
    "40 mm 1.5 inch 3-pack women | men non-slip café crème brûlée Ümlaut naïve snake_case 100% (set) & 5' 6\" tall Grey GRAY "
    "long lasting paraben free gluten-free usb c 2.0 £9 ½ teaspoon 羊毛 wool A/B"
).split(" ")
rng = random.Random(7)


def phrase():
    return " ".join(rng.choices(words, k=rng.randint(0, 6)))


def near(text):
    """The text with one letter or one word changed."""
    if not text:
        return "x"
    if rng.random() < 0.5:
        at = rng.randrange(len(text))
        return text[:at] + rng.choice("aeist ") + text[at + 1 :]
    parts = text.split(" ")
    parts[rng.randrange(len(parts))] = rng.choice(words)
    rng.shuffle(parts)
    return " ".join(parts)


pairs = []
for _ in range(400):
    left = phrase()
    right = near(left) if rng.random() < 0.6 else phrase()
    pairs.append({"left": left, "right": right, "ratio": fuzz.token_set_ratio(left, right)})
long = [" ".join(rng.choices(words, k=60)) for _ in range(6)]  # above 200 characters difflib drops frequent ones
for a in long:
    for b in long:
        other = near(b)
        pairs.append({"left": a, "right": other, "ratio": fuzz.token_set_ratio(a, other)})
tuples = []
for _ in range(60):
    name, value = rng.choice(["color", "size", "style name", "men's size"]), phrase().lower()
    bought = near(value)
    tuples.append({"name": name, "value": value, "bought": bought, "ratio": fuzz.token_set_ratio(bought, (name, value))})
json.dump({"thefuzz": "0.19.0", "python": sys.version.split()[0], "pairs": pairs, "tuples": tuples}, sys.stdout, indent=0, ensure_ascii=False)
print()
