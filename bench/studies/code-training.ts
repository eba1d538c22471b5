/**
 * Trains on programs through the command line, as users do. There are assembled programs, verdicts on
 * programs, training scripts and modules. See README.md in this folder.
 *
 * usage: node dist/bench/studies/code-training.js [--recipe code] [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-RECIPE] [--out FILE]
 */
import { runStudy } from './run-study.ts';
import { poolAgents, successCurves } from './stored-run.ts';

await runStudy({
  recipe: 'code',
  otherRecipes: ['critique', 'ml-engineering', 'verilog'],
  variants: { recipe: [] },
  flags: [],
  wholeFirst: 'seeds',
  head: ({ date, commit, node, cores, recipe, words }) => ({
    what: `cairn train ${recipe}: success on tasks of kinds that training never has, with 95 % intervals over seeds and tasks`,
    date,
    commit,
    command: `node dist/bench/studies/code-training.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    final: poolAgents(runs, ({ panel, success, score, byFamily, meanTurns }, bySeed) => ({
      panel,
      success,
      score,
      byFamily,
      meanTurns,
      bySeed: bySeed.map((result) => result.success.rate),
    })),
    ...successCurves(runs),
  }),
});
