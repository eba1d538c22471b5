/**
 * Whether the household world is learned as well when rollouts run ahead of the updates: the recipe with the seeds of household-methods,
 * where the same without stands as `gigpo-information`. See README.md beside this file.
 *
 * usage: node dist/bench/studies/household-async.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-async] [--variants a,b] [--out FILE]
 */
import { householdStudy } from './household-study.ts';
import { runStudy } from './run-study.ts';

await runStudy(
  householdStudy({
    recipe: 'household',
    variants: { 'one-ahead': ['--async', '1'], 'four-ahead': ['--async', '4'] },
  }),
);
