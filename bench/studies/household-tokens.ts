/**
 * What reward adds to a language model that imitates: `cairn model init nano`, `cairn sft` and `cairn train --policy token` in the small household or the
 * full one, with every seed for itself. See README.md beside this file.
 *
 * usage: node dist/bench/studies/household-tokens.js [--recipe household-small] [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-RECIPE]
 *        [--variants a,b] [--out FILE]
 */
import { runStudy } from './run-study.ts';
import { poolAgents, successCurves } from './stored-run.ts';
import { beginTaught, tokenFlags } from './taught-model.ts';

/** Two workers of each training, so that two trainings have four cores. */
const flags = [...tokenFlags, '--with', 'policy.workers=2'];

await runStudy({
  recipe: 'household-small',
  otherRecipes: ['household'],
  variants: { gigpo: [], grpo: ['--credit', 'grpo'] },
  flags,
  begin: (run, env) => beginTaught(run, env, 2),
  wholeFirst: 'variants', // GiGPO is what the study is about
  head: ({ date, commit, node, cores, words }) => ({
    what: 'a nano language model taught by the searcher and trained by reward: success on the held-out panel, with 95 % intervals over seeds and tasks',
    date,
    commit,
    command: `node dist/bench/studies/household-tokens.js ${words}`,
    node,
    cores,
  }),
  summarise: (runs) => ({
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    final: poolAgents(runs, ({ panel, success, meanTurns }, bySeed) => ({
      panel,
      ...success,
      meanTurns,
      bySeed: bySeed.map((result) => result.success.rate),
    })),
    ...successCurves(runs),
  }),
});
