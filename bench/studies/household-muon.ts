/**
 * Muon beside AdamW on the small household, with the choice policy or with the language model of `household-tokens.ts`. See README.md beside this file.
 *
 * usage: node dist/bench/studies/household-muon.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-household-muon] [--variants a,b]
 *        [--out FILE]
 */
import { runStudy } from './run-study.ts';
import { poolAgents, successCurves } from './stored-run.ts';
import { beginTaught, tokenFlags } from './taught-model.ts';

const muon = ['--with', 'update.optimiser.kind=muon'];
/** One worker, so that two trainings have two cores. A fifth of the recipe's 200 iterations: ten whole trainings are seven hours of processor. */
const tokens = [...tokenFlags, '--with', 'policy.workers=1', '--iterations', '40'];

await runStudy({
  recipe: 'household-small',
  variants: {
    'choice-adamw': [],
    'choice-muon': muon,
    'token-adamw': tokens,
    'token-muon': [...tokens, ...muon],
  },
  flags: [],
  begin: async (run, env) => (run.variant.startsWith('token') ? beginTaught(run, env, 1) : []),
  wholeFirst: 'seeds', // a study that is cut short compares on the seeds that are there
  head: ({ date, commit, node, cores, words }) => ({
    what: 'Muon beside AdamW at the learning rates of the recipes: success on the held-out panel, with 95 % intervals over seeds and tasks',
    date,
    commit,
    command: `node dist/bench/studies/household-muon.js ${words}`,
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
