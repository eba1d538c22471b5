/**
 * What training comes to on programs that are put together of pieces, through the command line as users have it: see README.md beside this
 * file.
 *
 * usage: node dist/bench/studies/code-training.js [--seeds 1] [--first-seed 0] [--jobs 1] [--folder runs/study-code] [--out FILE]
 */
import { runStudy } from './run-study.ts';
import { poolAgents } from './stored-run.ts';

await runStudy({
  recipe: 'code',
  variants: { recipe: [] },
  flags: [],
  wholeFirst: 'seeds',
  head: ({ date, commit, node, cores, words }) => ({
    what: 'cairn train code: success on templates that training never has, with 95 % intervals over seeds and tasks',
    date,
    commit,
    command: `node dist/bench/studies/code-training.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    final: poolAgents(runs, ({ panel, success, score, byFamily, meanTurns }, bySeed) => ({ panel, success, score, byFamily, meanTurns, bySeed: bySeed.map((result) => result.success.rate) })),
    curveColumns: ['iteration', 'environmentSteps', 'success on dev'],
    curves: runs.map(({ seed, evaluations }) => ({ seed, curve: evaluations.map(({ iteration, environmentSteps, success }) => [iteration, environmentSteps, success.rate]) })),
  }),
});
