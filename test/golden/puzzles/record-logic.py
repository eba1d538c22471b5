"""Records how reasoning-gym judges right and wrong answers, for test/envs/puzzle/reasoning-gym-logic.test.ts.

    python3 -m venv venv && venv/bin/pip install reasoning-gym==0.1.25
    venv/bin/python test/golden/puzzles/record-logic.py > test/golden/puzzles/logic-verdicts.json

An argument is the number of questions of each task. Each line is [puzzle, question of our puzzle, answer as our puzzle reads it, whether reasoning-gym gives it the full score].
"""

import json
import random
import re
import sys

import reasoning_gym
from reasoning_gym.logic import self_reference

EACH = int(sys.argv[1]) if len(sys.argv) > 1 else 125  # questions of each task: a right and a wrong answer each
rng = random.Random(20261128)
lines = []


def items(name, **config):
    data = reasoning_gym.create_dataset(name, size=EACH, seed=7, **config)
    return [(data, entry) for entry in data]


def emit(puzzle, question, answer, right):
    lines.append(json.dumps([puzzle, question, answer, right], separators=(",", ":")))


def judge(data, entry, answer):
    return data.score_answer(answer, entry) == 1.0


def cubes():
    for data, entry in items("color_cube_rotation", min_rotations=1, max_rotations=12):
        meta = entry["metadata"]
        sides = ["top", "right", "front", "left", "back", "bottom"]
        question = {
            "colours": [meta["initial_state"][side] for side in sides],
            "turns": meta["rotations"],
            "asked": [meta["target_side"]],
        }
        wrong = rng.choice([colour for colour in question["colours"] if colour != entry["answer"]])
        for answer in (entry["answer"], wrong):
            emit("colour-cube", question, answer, judge(data, entry, answer))


def ciphers():
    for data, entry in items("caesar_cipher", min_words=3, max_words=12, min_rotation=1, max_rotation=25):
        meta = entry["metadata"]
        # Our question names a word of the text: the longest one.
        question = {"ciphertext": meta["cipher_text"], "crib": max(meta["clear_text"].split(), key=len)}
        at = rng.choice([at for at, letter in enumerate(meta["clear_text"]) if letter != " "])
        letter = rng.choice([letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter != meta["clear_text"][at]])
        wrong = meta["clear_text"][:at] + letter + meta["clear_text"][at + 1 :]
        for answer in (meta["clear_text"], wrong):
            emit("crypto-caesar", question, answer, judge(data, entry, answer))


def angles():
    for data, entry in items("simple_geometry", min_sides=3, max_sides=8):
        question = {"figure": {"kind": "angle", "angles": [int(angle) for angle in entry["metadata"]["known_angles"]]}}
        for answer in (entry["answer"], str(int(entry["answer"]) + rng.choice([-10, -1, 1, 10, 180]))):
            emit("geometry", question, answer, judge(data, entry, answer))


def sums():
    for data, entry in items("chain_sum", min_terms=2, max_terms=8, min_digits=1, max_digits=3):
        first, *rest = entry["metadata"]["expression"].split()
        postfix = [first]
        for operator, operand in zip(rest[::2], rest[1::2]):
            postfix += [operand, operator]
        for answer in (entry["answer"], str(int(entry["answer"]) + rng.choice([-100, -10, -1, 1, 10, 100]))):
            emit("random-calculation", {"postfix": postfix}, answer, judge(data, entry, answer))


def syllogisms():
    words = {"All": "all", "No": "no", "Some": "some"}
    for data, entry in items("syllogism", inversion_probability=0.0):
        meta = entry["metadata"]
        terms = []

        def parse(text):
            quantifier, subject, negation, predicate = re.fullmatch(r"(All|No|Some) (.+) are (not )?(.+)", text).groups()
            terms.extend(term for term in (subject, predicate) if term not in terms)
            kind = "some-not" if negation else words[quantifier]
            return {"quantifier": kind, "subject": terms.index(subject), "predicate": terms.index(predicate)}

        premises = [parse(meta["premise1"]), parse(meta["premise2"])]
        question = {"terms": terms, "premises": premises, "conclusions": [parse(meta["conclusion"])]}
        for ours, answer in (("1", "Yes"), ("none", "No")):
            emit("syllogism", question, ours, judge(data, entry, answer))


def self_references():
    """Its task asks for the number of solutions; its check of one assignment is a function of its own."""
    for _ in range(EACH):
        puzzle = self_reference.generate_dynamic_puzzle(rng.randint(1, 10), rng)
        a, b, c, d = (puzzle["parameters"][name] for name in "abcd")
        question = {
            "statements": [
                {"kind": "least", "amount": a, "value": True},
                {"kind": "most", "amount": b, "value": False},
                {"kind": "exactly", "amount": c, "value": True},
                {"kind": "exactly", "amount": d, "value": False},
                {"kind": "one-of", "first": 2, "second": 3},
                {"kind": "prime", "value": True},
                {"kind": "composite", "value": False},
            ]
        }
        solutions = self_reference.solve_puzzle_dynamic(puzzle)
        if not solutions:
            solutions = [[rng.random() < 0.5 for _ in range(7)]]
        right = rng.choice(solutions)
        at = rng.randrange(7)
        for answer in (right, [value != (index == at) for index, value in enumerate(right)]):
            text = " ".join("true" if value else "false" for value in answer)
            emit("self-reference", question, text, self_reference.verify_solution_dynamic(puzzle, answer))


cubes()
ciphers()
angles()
sums()
syllogisms()
self_references()
print("[\n" + ",\n".join(lines) + "\n]")
