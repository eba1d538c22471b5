import { stepsToThreshold } from '../../lab/compare/learning-curve.ts';
import { medianToThreshold } from '../../trainers/results/intervals.ts';
import type { Study } from './run-study.ts';
import { poolAgents } from './stored-run.ts';

/** Success on `dev` that a run must show once to have learned. */
const threshold = 0.85;

/** Measures how fast the variants of a household recipe reach the threshold, and their final success. */
export const householdStudy = ({ recipe, variants }: Pick<Study, 'recipe' | 'variants'>): Study => ({
  recipe,
  variants,
  // On `dev` often: it is from there that the study reads when the threshold is passed.
  flags: ['--with', 'evaluation.every=5', '--with', 'evaluation.tasks=128'],
  wholeFirst: 'seeds',
  head: ({ commit, date, node, cores }) => ({ commit, recipe, date, node, cores, threshold }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    stepsToThreshold: {
      bySeed: runs.map(({ evaluations }) => stepsToThreshold(evaluations, threshold) ?? 'never'),
      median: medianToThreshold(runs.map(({ evaluations }) => stepsToThreshold(evaluations, threshold))),
    },
    final: poolAgents(runs, ({ panel, success, meanTurns, byFamily }, bySeed) => ({
      panel,
      bySeed: bySeed.map((result) => result.success.rate),
      ...success,
      meanTurns,
      byFamily: Object.fromEntries(Object.entries(byFamily).map(([family, { rate }]) => [family, rate])),
    })),
    curves: runs.map(({ seed, evaluations }) => ({
      seed,
      curve: evaluations.map(({ environmentSteps, success }) => [environmentSteps, success.rate]),
    })),
  }),
});
