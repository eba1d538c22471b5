/**
 * Whether what was learned in the household world helps in its harder variant, held against as many iterations there: see README.md beside this file.
 *
 * usage: node dist/bench/studies/household-transfer.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-household-hard] [--variants a,b] [--out FILE]
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { householdStudy } from './household-study.ts';
import { runStudy } from './run-study.ts';
import { trainRun } from './train-run.ts';

const transferred = 'from-household';

await runStudy({
  ...householdStudy({
    recipe: 'household-hard',
    variants: { gigpo: [], 'gigpo-twice-as-long': ['--iterations', '300'], [transferred]: [] },
  }),
  begin: async ({ variant, seed, folder }) => {
    if (variant !== transferred) return [];
    const first = path.join(path.dirname(folder), `household-${seed}`);
    if (!existsSync(path.join(first, 'report.html')))
      await trainRun('household', { variant: 'household', seed, folder: first }, []);
    return ['--model', first];
  },
});
