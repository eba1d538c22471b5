"""Makes intervals.json with scipy and statsmodels, which share no code with the package.

    python3 -m venv venv && venv/bin/pip install scipy statsmodels && venv/bin/python make-intervals.py
"""

import itertools
import json
import pathlib

import numpy
import scipy
import scipy.optimize
import scipy.stats
import statsmodels
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW


def wilson():
    for successes, trials in [(0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (45, 50), (121, 134), (67, 134), (499, 500), (1, 10_000)]:
        for level in (0.8, 0.95, 0.99):
            low, high = proportion_confint(successes, trials, alpha=1 - level, method='wilson')
            yield {'successes': successes, 'trials': trials, 'level': level, 'low': float(low), 'high': float(high)}


def mcnemar_exact():
    for first, second in [(0, 0), (1, 0), (0, 6), (5, 15), (12, 2), (10, 10), (30, 51), (200, 260), (3000, 3200)]:
        p = mcnemar([[7, first], [second, 9]], exact=True).pvalue
        yield {'onlyFirst': first, 'onlySecond': second, 'p': float(p)}


def student():
    for values in [[1, 2], [0.5, 0.7, 0.65, 0.4], [-3, 10, 2.5, 2.5, 8, 11, 0.25]]:
        low, high = DescrStatsW(values).tconfint_mean(alpha=0.05)
        yield {'values': values, 'low': float(low), 'high': float(high)}


def quantiles():
    for p in (0.5, 0.6, 0.9, 0.95, 0.975, 0.995, 0.9999):
        yield {'p': p, 'normal': float(scipy.stats.norm.ppf(p))}


def student_quantiles():
    for degrees in (1, 2, 5, 30, 400):
        for tail in (0.4, 0.1, 0.025, 0.005):
            yield {'degrees': degrees, 'tail': tail, 't': float(scipy.stats.t.isf(tail, degrees))}


def betas():
    for x in (0.001, 0.2, 0.5, 0.83, 0.999):
        for a, b in [(0.5, 0.5), (1, 3), (2.5, 14), (60, 40), (4000, 4100)]:
            yield {'x': x, 'a': a, 'b': b, 'value': float(scipy.special.betainc(a, b, x))}


def medians():
    generator = numpy.random.default_rng(3)
    for runs in (6, 8, 9, 17, 20, 33):
        values = sorted(float(value) for value in generator.integers(100, 10_000, runs))
        interval = scipy.stats.quantile_test(values, q=numpy.median(values), p=0.5).confidence_interval(0.95)
        yield {'values': values, 'median': float(numpy.median(values)), 'low': float(interval.low), 'high': float(interval.high)}


def bootstrap_tasks():
    generator = numpy.random.default_rng(5)
    for values in [
        [0, 0.25, 0.5, 1, 1, 0.75, 0.25, 0, 1, 0.5],
        [round(float(value), 4) for value in generator.beta(2, 1, 60)],
        [round(float(value), 4) for value in generator.exponential(3, 25)],
    ]:
        interval = scipy.stats.bootstrap(
            (values,), numpy.mean, n_resamples=400_000, batch=2000, method='percentile', rng=numpy.random.default_rng(7)
        ).confidence_interval
        yield {'values': values, 'low': float(interval.low), 'high': float(interval.high)}


def seeds_and_tasks():
    """Every resample of a few tasks, each once, with Student's t beside it for the seeds: the exact distribution that drawing approaches.

    The bounds are where the mean of all these distribution functions is 2.5 and 97.5 %; for a difference the first t is taken at
    evenly spaced probabilities, and the second's distribution function at what is left.
    """
    shares = (numpy.arange(4000) + 0.5) / 4000

    def parts(table, drawn):
        means = table[:, drawn].mean(axis=2)  # (seeds, draws)
        return means.mean(axis=0), scipy.stats.sem(means, axis=0) if len(table) > 1 else numpy.zeros(len(drawn)), len(table) - 1

    def bounds(share_below):
        return [float(scipy.optimize.brentq(lambda x: share_below(x) - share, -1000, 1000, xtol=1e-9)) for share in (0.025, 0.975)]

    for a, b in [
        ([[0, 1, 0.5, 1], [1, 1, 0, 0.5], [0.25, 1, 0.5, 0.75]], [[0, 0.5, 0, 1], [0.5, 0, 0.25, 0.5]]),
        ([[0.1, 0.9, 0.4, 0.7], [0.3, 0.8, 0.5, 0.5], [0.2, 0.9, 0.6, 0.8], [0, 0.7, 0.3, 0.6], [0.4, 1, 0.4, 0.7]], [[0.3, 0.2, 0.4, 0.1], [0.2, 0.2, 0.5, 0.3], [0.1, 0.4, 0.4, 0.2]]),
    ]:
        a, b = numpy.array(a), numpy.array(b)
        drawn = numpy.array(list(itertools.product(range(a.shape[1]), repeat=a.shape[1])))
        mean_a, error_a, degrees_a = parts(a, drawn)
        mean_b, error_b, degrees_b = parts(b, drawn)
        of_b = mean_b[:, None] - error_b[:, None] * scipy.stats.t.ppf(shares, degrees_b)
        yield {
            'a': a.tolist(),
            'b': b.tolist(),
            'mean': bounds(lambda x: scipy.stats.t.cdf((x - mean_a) / error_a, degrees_a).mean()),
            'difference': bounds(lambda x: scipy.stats.t.cdf((x + of_b - mean_a[:, None]) / error_a[:, None], degrees_a).mean()),
        }


golden = {
    'made by': f'make-intervals.py with numpy {numpy.__version__}, scipy {scipy.__version__}, statsmodels {statsmodels.__version__}',
    'wilson': list(wilson()),
    'mcnemar': list(mcnemar_exact()),
    'student': list(student()),
    'normalQuantiles': list(quantiles()),
    'studentQuantiles': list(student_quantiles()),
    'incompleteBeta': list(betas()),
    'medians': list(medians()),
    'bootstrapTasks': list(bootstrap_tasks()),
    'seedsAndTasks': list(seeds_and_tasks()),
}
pathlib.Path(__file__).with_name('intervals.json').write_text(json.dumps(golden, indent=1) + '\n')
