/**
 * Which of our web pages a choice policy learns, and what the curriculum over sub-instructions adds: every variant with the same seeds and
 * tasks, through the command line as users have it: see README.md beside this file.
 *
 * usage: node dist/bench/studies/web-training.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-web] [--variants a,b]
 *        [--out FILE]
 */
import { runStudy } from './run-study.ts';
import { poolAgents, successCurves } from './stored-run.ts';

await runStudy({
  recipe: 'web',
  variants: {
    recipe: [],
    curriculum: ['--with', 'envConfig.curriculum=true'],
  },
  flags: [],
  wholeFirst: 'variants', // the recipe is what the study is about
  head: ({ date, commit, node, cores, words }) => ({
    what: 'cairn train web: success by page on held-out seeds, with 95 % intervals over seeds and tasks',
    date,
    commit,
    command: `node dist/bench/studies/web-training.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    final: poolAgents(runs, ({ panel, success, byFamily, meanTurns }, bySeed) => ({
      panel,
      success,
      byFamily,
      meanTurns,
      bySeed: bySeed.map((result) => ({
        success: result.success.rate,
        pagesAt90: Object.entries(result.byFamily).flatMap(([page, { rate }]) => (rate >= 0.9 ? [page] : [])),
      })),
    })),
    ...successCurves(runs),
  }),
});
