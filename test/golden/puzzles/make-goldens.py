"""Records how reasoning-gym judges right and wrong answers, for test/envs/puzzle/reasoning-gym.test.ts.

    python3 -m venv venv && venv/bin/pip install reasoning-gym==0.1.25
    venv/bin/python test/golden/puzzles/make-goldens.py > test/golden/puzzles/goldens.json

An argument is the number of questions of each task. Each line is [puzzle, question of our puzzle, answer as our puzzle reads it, whether reasoning-gym gives it the full score].
"""

import json
import random
import sys

import reasoning_gym

EACH = int(sys.argv[1]) if len(sys.argv) > 1 else 250  # questions of each task: a right and a wrong answer each
rng = random.Random(20261128)


def items(name, **config):
    data = reasoning_gym.create_dataset(name, size=EACH, seed=7, **config)
    return [(data, entry) for entry in data]


def rows(grid):
    return ["".join("." if cell == 0 else str(cell) for cell in row) for row in grid]


def emit(puzzle, question, answer, right):
    lines.append(json.dumps([puzzle, question, answer, right], separators=(",", ":")))


def sudokus(name, puzzle, side):
    for data, entry in items(name):
        grid, solution = entry["metadata"]["puzzle"], entry["metadata"]["solution"]
        question = {"rows": rows(grid)}
        wrong = [row[:] for row in solution]
        row, column = rng.choice([(r, c) for r in range(side) for c in range(side) if grid[r][c] == 0])
        wrong[row][column] = rng.choice([digit for digit in range(1, side + 1) if digit != solution[row][column]])
        for answer in (solution, wrong):
            text = "\n".join(" ".join(map(str, line)) for line in answer)
            emit(puzzle, question, text, data.score_answer(text, entry) == 1.0)


def countdowns():
    for data, entry in items("countdown", min_numbers=3, max_numbers=5, max_value=50):
        numbers, target = entry["metadata"]["numbers"], entry["metadata"]["target"]
        expression = entry["metadata"]["expression"]
        shuffled = rng.sample(numbers, len(numbers))
        wrong = rng.choice(
            [
                expression.replace(str(numbers[0]), str(numbers[0] + 1), 1),
                f"({expression}) + {numbers[0]}",
                " + ".join(map(str, shuffled)),
                " * ".join(map(str, shuffled)),
                f"{shuffled[0]} - ({' + '.join(map(str, shuffled[1:]))})",
            ]
        )
        for answer in (expression, wrong):
            emit("countdown", {"numbers": numbers, "target": target}, answer, data.score_answer(answer, entry) == 1.0)


def hanois():
    for data, entry in items("tower_of_hanoi", min_disks=3, max_disks=6, min_pegs=3, max_pegs=3):
        meta = entry["metadata"]
        disks = list(range(meta["num_disks"], 0, -1))
        place = lambda peg: [disks if at == peg else [] for at in (1, 2, 3)]
        question = {"pegs": place(meta["start_peg"]), "goal": place(meta["target_peg"])}
        moves = entry["answer"].split("\n")
        at = rng.randrange(len(moves) - 1)
        wrong = rng.choice([moves[:-1], moves[:at] + [moves[at + 1], moves[at]] + moves[at + 2 :], moves[1:]])
        for answer in (moves, wrong):
            ours = " ".join("%s>%s" % tuple("ABC"[int(word) - 1] for word in move.split()[5::3]) for move in answer)
            emit("hanoi", question, ours, data.score_answer("\n".join(answer), entry) == 1.0)


lines = []
sudokus("sudoku", "sudoku", 9)
sudokus("mini_sudoku", "sudoku-4", 4)
countdowns()
hanois()
print("[\n" + ",\n".join(lines) + "\n]")
