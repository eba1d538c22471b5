/**
 * Measures the gain from training in the shop, and the share of its demonstrations. It trains every variant
 * with the same seeds and tasks through the command line, as users do. See README.md in this folder.
 *
 * usage: node dist/bench/studies/shop-training.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-shop] [--variants a,b]
 *        [--out FILE]
 */
import { runStudy } from './run-study.ts';
import { poolAgents } from './stored-run.ts';

await runStudy({
  recipe: 'shop',
  variants: {
    recipe: [],
    'more-demonstrations': ['--warm-start', '64'],
    // Without a clone there is no reference for the KL term. A pull towards random weights has no use.
    'without-demonstrations': ['--warm-start', '0', '--with', 'update.klWeight=0'],
  },
  flags: [],
  wholeFirst: 'variants', // the recipe is what the study is about
  head: ({ date, commit, node, cores, words }) => ({
    what: 'cairn train shop: mean score and success on the held-out panel, with 95 % intervals over seeds and tasks',
    date,
    commit,
    command: `node dist/bench/studies/shop-training.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    final: poolAgents(runs, ({ panel, score, success, meanTurns }, bySeed) => ({
      panel,
      score,
      success,
      meanTurns,
      bySeed: bySeed.map((result) => ({ score: result.score.mean, success: result.success.rate })),
    })),
    curveColumns: ['iteration', 'environmentSteps', 'score on dev', 'success on dev'],
    curves: runs.map(({ seed, evaluations }) => ({
      seed,
      curve: evaluations.map(({ iteration, environmentSteps, score, success }) => [
        iteration,
        environmentSteps,
        score.mean,
        success.rate,
      ]),
    })),
  }),
});
