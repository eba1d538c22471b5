/**
 * How far the recipe comes in the harder variant of the household world: see README.md beside this file.
 *
 * usage: node dist/bench/studies/household-hard.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-household-hard] [--out FILE]
 */
import { householdStudy } from './household-study.ts';
import { runStudy } from './run-study.ts';

await runStudy(householdStudy({ recipe: 'household-hard', variants: { gigpo: [] } }));
