import { expect, it } from 'vitest';
import { describeStudy } from '../../../cli/training/describe-study.ts';
import { householdEnv } from '../../../envs/household/definition.ts';
import { householdStudies } from '../../../envs/household/studies.ts';
import { recipeFor } from '../../../trainers/recipes/recipe.ts';

const fingerprint = householdStudies[0]?.panel.fingerprint ?? '';
const recipe = { ...recipeFor(householdEnv), seed: 5 };

it('describeStudy says how recorded figures were made and what their intervals cover', () => {
  const lines = describeStudy(householdEnv, fingerprint, recipe);
  expect(lines[0]).toMatch(
    /^Recorded on \d{4}-\d\d-\d\d \(bench\/studies\/household-methods\.json\) with the recipe's 150 iterations, success on unseen-1000 in %, mean of 5 seeds with 95 % intervals over seeds and tasks:$/u,
  );
  expect(lines[2]).toMatch(/^ {2}GiGPO, grouped by information {2,}\d+\.\d {2,}\[\d+\.\d, \d+\.\d\]$/u);
  expect(lines.slice(7)).toEqual(['']);
});

it('describeStudy lists how this run differs from the recorded ones', () => {
  const own = { ...recipe, iterations: 4, update: { ...recipe.update, klWeight: 0 } };
  expect(describeStudy(householdEnv, fingerprint, own).slice(7)).toEqual([
    'This run had other settings: iterations 4 (recipe: 150), update.klWeight 0 (recipe: 0.01).',
    '',
  ]);
});

it('describeStudy prints nothing when nothing was recorded', () => {
  expect(describeStudy(householdEnv, 'sha256:0', recipe)).toEqual([]);
});
