"""Records how reasoning-gym judges right and wrong answers, for test/envs/puzzle/reasoning-gym-tasks.test.ts.

    python3 -m venv venv && venv/bin/pip install reasoning-gym==0.1.25
    venv/bin/python test/golden/puzzles/record-tasks.py > test/golden/puzzles/task-verdicts.json

An argument is the number of questions of each task, with a right and a wrong answer each. Each line is
[puzzle, question of our puzzle, answer as our puzzle reads it, whether reasoning-gym gives it the full score].
"""

import ast
import json
import random
import sys
from fractions import Fraction

import reasoning_gym
import sympy

EACH = int(sys.argv[1]) if len(sys.argv) > 1 else 40
rng = random.Random(20261129)
lines = []


def items(name, size=EACH, **config):
    data = reasoning_gym.create_dataset(name, size=size, seed=11, **config)
    return ((data, data[index]) for index in range(size))


def emit(puzzle, question, answer, right):
    lines.append(json.dumps([puzzle, question, answer, right], separators=(",", ":")))


def judge(data, entry, answer):
    return data.score_answer(answer, entry) == 1.0


def points24():
    for data, entry in items("puzzle24"):
        numbers, right = entry["metadata"]["numbers"], entry["answer"]
        words = [str(number) for number in rng.sample(numbers, 4)]
        operators = [rng.choice("+-*") for _ in range(3)]
        wrong = rng.choice(
            [
                words[0] + "".join(f" {operator} {word}" for operator, word in zip(operators, words[1:])),
                f"({right}) + {numbers[0]}",
                "24",
            ]
        )
        for answer in (right, wrong):
            emit("game-24", {"numbers": numbers, "target": 24}, answer, judge(data, entry, answer))


def kakurasus():
    for data, entry in items("kakurasu", min_rows=3, max_rows=6, min_cols=3, max_cols=6):
        meta = entry["metadata"]
        question = {"rowSums": meta["row_sums"], "columnSums": meta["col_sums"]}
        wrong = [row[:] for row in meta["solution"]]
        row, column = rng.randrange(len(wrong)), rng.randrange(len(wrong[0]))
        wrong[row][column] = 1 - wrong[row][column]
        for grid in (meta["solution"], wrong):
            theirs = "\n".join(" ".join(map(str, line)) for line in grid)
            ours = "\n".join("".join(".*"[cell] for cell in line) for line in grid)
            emit("kakurasu", question, ours, judge(data, entry, theirs))


def claim_of(statement):
    """Our claim of a statement of depth 2, and None for one that our puzzle does not have."""
    kind, *parts = statement
    if kind == "telling-truth" or kind == "lying":
        return {"kind": "is", "who": int(parts[0]), "knight": kind == "telling-truth"}
    if kind == "not":
        inner = claim_of(parts[0])
        return {**inner, "knight": not inner["knight"]} if inner and inner["kind"] == "is" else None
    claims = [claim_of(part) for part in parts]
    if len(claims) != 2 or any(claim is None or claim["kind"] != "is" for claim in claims):
        return None
    one, other = claims
    if kind == "<=>":
        same = one["knight"] == other["knight"]
        return {"kind": "same", "who": one["who"], "other": other["who"], "same": same}
    return {
        "kind": {"and": "and", "or": "or", "->": "implies"}[kind],
        "who": one["who"],
        "knight": one["knight"],
        "other": other["who"],
        "otherKnight": other["knight"],
    }


def islands():
    count, index, names = 0, 0, ["Ann", "Bob", "Cid", "Dora", "Eve"]
    sizes = [reasoning_gym.create_dataset("knights_knaves", size=20 * EACH, seed=11, n_people=n) for n in (2, 3, 4, 5)]
    while count < EACH:
        data = sizes[index % len(sizes)]
        entry = data[index]
        index += 1
        meta = entry["metadata"]
        claims = [claim_of(statement) for statement in meta["statements"]]
        if None in claims:
            continue
        count += 1
        terms = meta["knight_knave_terms"]
        question = {"names": names[: len(claims)], "claims": claims}
        wrong = list(meta["solution"])
        at = rng.randrange(len(wrong))
        wrong[at] = not wrong[at]
        for answer in (meta["solution"], wrong):
            roles = ["knight" if value else "knave" for value in answer]
            theirs = ", ".join(f"{name} is a {terms[role]}" for name, role in zip(meta["names"], roles))
            ours = "\n".join(f"{name}: {role}" for name, role in zip(names, roles))
            emit("knights-and-knaves", question, ours, judge(data, entry, theirs))


def products_of_polynomials():
    x = sympy.Symbol("x")
    for data, entry in items("polynomial_multiplication", variables=("x",)):
        expression = sympy.parse_expr(entry["metadata"]["polynomial_expr"])
        factors = []
        for factor in sympy.Mul.make_args(expression):
            base, exponent = factor.as_base_exp()
            factors += [base] * int(exponent)
        factors = factors[:2] + ([sympy.Mul(*factors[2:])] if len(factors) > 2 else [])
        parts = [[int(value) for value in reversed(sympy.Poly(factor, x).all_coeffs())] for factor in factors]
        right = sympy.parse_expr(entry["answer"])
        wrong = right + rng.choice([-1, 1]) * x ** rng.randrange(4)
        for answer in (right, sympy.expand(wrong)):
            ours = str(answer).replace("**", "^").replace("*", "")
            emit("polynomial", {"task": "expand", "parts": parts}, ours, judge(data, entry, str(answer)))


def postfix_of(node):
    """The postfix form and the exact value of an expression; None where a number has more than three digits."""
    if isinstance(node, ast.Constant):
        return ([str(node.value)], Fraction(node.value)) if node.value < 1000 else None
    if isinstance(node, ast.UnaryOp):
        inner = postfix_of(node.operand)
        return inner and (["0", *inner[0], "-"], -inner[1])
    left, right = postfix_of(node.left), postfix_of(node.right)
    if left is None or right is None:
        return None
    a, b = left[1], right[1]
    sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}[type(node.op)]
    if sign == "/" and b == 0:
        return None
    value = a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b
    return [*left[0], *right[0], sign], value


def calculations(name, **config):
    """Expressions of the task whose exact value is the answer: reasoning-gym rounds each division down."""
    count = 0
    for data, entry in items(name, size=20 * EACH, **config):
        found = postfix_of(ast.parse(entry["metadata"]["expression"].strip(), mode="eval").body)
        if found is None or found[1] != int(entry["answer"]) or len(found[0]) > 63:
            continue
        for answer in (entry["answer"], str(int(entry["answer"]) + rng.choice([-100, -10, -1, 1, 10, 100]))):
            emit("random-calculation", {"postfix": found[0]}, answer, judge(data, entry, answer))
        count += 1
        if count == EACH:
            return
    raise RuntimeError(f"{name}: {count} questions of {EACH}")


def heights():
    for data, entry in items("advanced_geometry", task_types=["orthocenter"]):
        meta = entry["metadata"]
        question = {"figure": {"kind": "orthocentre", "points": [[int(word) for word in meta[name]] for name in "ABC"]}}
        right = [Fraction(word) for word in meta["ortho"]]
        wrong = right[:]
        wrong[rng.randrange(2)] += rng.choice([-1, 1]) * Fraction(1, rng.randint(1, 9))
        for point in (right, wrong):
            theirs = "(%.3f, %.3f)" % tuple(map(float, point))
            emit("geometry", question, " ".join(map(str, point)), judge(data, entry, theirs))


points24()
kakurasus()
islands()
products_of_polynomials()
calculations("products", min_terms=2, max_terms=4, min_digits=1, max_digits=3)
calculations("basic_arithmetic", max_digits=2)
heights()
print("[\n" + ",\n".join(lines) + "\n]")
