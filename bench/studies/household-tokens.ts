/**
 * What reward adds to a language model that imitates: `cairn model init nano`, `cairn sft` and `cairn train --policy token` in the small household, with
 * every seed for itself. See README.md beside this file.
 *
 * usage: node dist/bench/studies/household-tokens.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-tokens] [--variants a,b] [--out FILE]
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { runStudy } from './run-study.ts';
import { poolAgents } from './stored-run.ts';
import { runCommand } from './train-run.ts';

const env = 'household-small';
/** Of each training, so that two trainings have four cores. */
const workers = ['--with', 'policy.workers=2'];

await runStudy({
  recipe: env,
  variants: { gigpo: [], grpo: ['--credit', 'grpo'] },
  flags: ['--policy', 'token', ...workers],
  begin: async ({ seed, folder }) => {
    const [model, taught] = [path.join(path.dirname(folder), `model-${seed}`), path.join(path.dirname(folder), `taught-${seed}`)]; // the variants of a seed begin alike
    if (!existsSync(path.join(taught, 'checkpoints', 'final.json'))) {
      await Promise.all([model, taught].map(async (made) => rm(made, { recursive: true, force: true })));
      await runCommand(['model', 'init', 'nano', '--tokenizer', `from-env`, env, '--context', '1024', '--seed', String(seed), '--out', model]);
      await runCommand(['sft', env, '--model', model, '--episodes', '3000', '--seed', String(seed), '--backend', 'wasm', '--final-panel', 'unseen', ...workers, '--run', taught]);
    }
    return ['--model', taught];
  },
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
    final: poolAgents(runs, ({ panel, success, meanTurns }, bySeed) => ({ panel, ...success, meanTurns, bySeed: bySeed.map((result) => result.success.rate) })),
    curveColumns: ['iteration', 'environmentSteps', 'success on dev'],
    curves: runs.map(({ seed, evaluations }) => ({ seed, curve: evaluations.map(({ iteration, environmentSteps, success }) => [iteration, environmentSteps, success.rate]) })),
  }),
});
