"""Writes goldens.json beside this file: what CPython's random.Random draws.

Run with any Python from 3.9: python3 make-goldens.py
"""

import hashlib
import json
import pathlib
import platform
import random


def shuffled(seed, size):
    order = list(range(size))
    random.Random(seed).shuffle(order)
    return order


def draws(seed):
    """One stream through every method, so that each starts where the last one left it."""
    rng = random.Random(seed)
    return {
        "random": [rng.random() for _ in range(5)],
        "bits": [[k, rng.getrandbits(k)] for k in (1, 5, 31, 32, 33, 40, 53, 52, 8)],
        "below": [[n, rng._randbelow(n)] for n in (1, 2, 3, 7, 10, 1000, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 10**12, 2**53 - 1)],
        "uniform": [[a, b, rng.uniform(a, b)] for a, b in ((0, 1), (19.99, 27.99), (19.99, 0.5), (-3, 3))],
        "choice": [rng.choice(range(n)) for n in (1, 3, 17, 1000)],
        "choices": rng.choices(range(26), k=10),
        "weighted": rng.choices(range(5), weights=[1, 0, 2.5, 0.25, 3], k=12),
        "sample": [[n, k, rng.sample(range(n), k)] for n, k in ((2, 2), (4, 2), (21, 5), (22, 5), (50, 6), (84, 6), (86, 6), (1000, 50), (10, 10), (10, 0))],
        "shuffle": shuffled(seed, 10),
        "after": rng.random(),
    }


def main():
    large = {}
    for seed, size in ((233, 12087), (233, 6910), (233, 100_000), (0, 70_000)):
        order = shuffled(seed, size)
        text = ",".join(map(str, order))
        large[f"{seed}/{size}"] = {"seed": seed, "size": size, "first": order[:10], "last": order[-10:], "sha256": hashlib.sha256(text.encode()).hexdigest()}
    seeds = [0, 1, 233, -233, 2**32 - 1, 2**32, 2**64 + 12345, 10**40]
    goldens = {
        "made by": f"CPython {platform.python_version()}",
        "streams": [{"seed": str(seed), **draws(seed)} for seed in seeds],
        "small shuffles": [{"seed": 233, "size": size, "order": shuffled(233, size)} for size in (0, 1, 2, 3, 13, 40)],
        "large shuffles": list(large.values()),
    }
    path = pathlib.Path(__file__).parent / "goldens.json"
    path.write_text(json.dumps(goldens) + "\n")


main()
