/**
 * Which method learns the household world fastest: every variant with the same seeds, tasks and settings. Takes a few minutes a
 * run and a core: see README.md beside this file.
 *
 * usage: node dist/bench/studies/household-methods.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-household] [--variants a,b] [--out FILE]
 */
import { householdStudy } from './household-study.ts';
import { runStudy } from './run-study.ts';

await runStudy(
  householdStudy({
    recipe: 'household',
    variants: {
      'gigpo-information': ['--anchor', 'information'],
      'gigpo-observation': ['--anchor', 'observation'],
      'gigpo-state': ['--anchor', 'state'],
      grpo: ['--credit', 'grpo'],
      // Without a clone there is no reference for the KL term. A pull towards random weights has no use.
      'gigpo-without-demonstrations': ['--warm-start', '0', '--with', 'update.klWeight=0'],
      'cloning-alone': [
        '--iterations',
        '0',
        '--with',
        'warmStart.epochs=6000',
        '--with',
        'warmStart.evaluateEvery=100',
        '--with',
        'warmStart.patience=60',
      ],
    },
  }),
);
