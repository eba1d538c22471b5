"""Makes passes.json with the standard library alone, which shares no code with the package.

    python3 make-passes.py

pass@k and pass^k come of exact binomials, and for few episodes also of a count of all choices of k episodes. The lines
come of statistics.linear_regression and statistics.correlation.
"""

import itertools
import json
import pathlib
import platform
import statistics
from fractions import Fraction
from math import comb


def passes():
    for n, c, k in [
        (1, 0, 1), (1, 1, 1), (4, 0, 2), (4, 1, 2), (4, 2, 2), (4, 3, 2), (4, 4, 4), (4, 3, 4),
        (5, 2, 3), (8, 3, 4), (10, 9, 10), (20, 7, 10), (200, 1, 100), (200, 13, 10), (200, 199, 100),
        (10_000, 37, 1_000),
    ]:
        at = 1 - Fraction(comb(n - c, k), comb(n, k))
        hat = Fraction(comb(c, k), comb(n, k))
        if n <= 10:
            episodes = [True] * c + [False] * (n - c)
            choices = list(itertools.combinations(episodes, k))
            assert at == Fraction(sum(any(each) for each in choices), len(choices))
            assert hat == Fraction(sum(all(each) for each in choices), len(choices))
        yield {'n': n, 'c': c, 'k': k, 'passAtK': float(at), 'passHatK': float(hat)}


def lines():
    for rates in [[0, 0, 1, 1, 1], [0.1, 0.3, 0.35, 0.4, 0.42], [0.5, 0.5, 0.75], [0.9, 0.2], [0.2, 0.3, 0.4, 0.5]]:
        ks = list(range(1, len(rates) + 1))
        slope, intercept = statistics.linear_regression(ks, rates)
        r2 = statistics.correlation(ks, rates) ** 2
        yield {'rates': rates, 'slope': slope, 'intercept': intercept, 'r2': r2}


golden = {'madeBy': f'make-passes.py, Python {platform.python_version()}', 'passes': list(passes()), 'lines': list(lines())}
path = pathlib.Path(__file__).with_name('passes.json')
path.write_text(json.dumps(golden, indent=2) + '\n')
