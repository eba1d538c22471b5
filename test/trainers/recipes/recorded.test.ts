import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { createRegistry } from '../../../envs/core/registry.ts';
import { householdEnv } from '../../../envs/household/definition.ts';
import { householdStudies } from '../../../envs/household/studies.ts';
import { openEnv } from '../../../envs/open.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { studyOn } from '../../../trainers/recipes/bench-preset.ts';
import { recipeFor } from '../../../trainers/recipes/recipe.ts';

interface Pooled {
  readonly panel: { readonly name: string; readonly fingerprint: string };
  readonly rate: number;
  readonly low: number;
  readonly high: number;
}
interface Study {
  readonly date: string;
  readonly commit: string;
  readonly variants: Readonly<
    Record<string, { readonly seeds: readonly number[]; readonly final: Readonly<Record<string, Pooled>> }>
  >;
}

const registry = createRegistry(builtInEnvs);

it('the figures printed beside a training equal those of the recorded study', async () => {
  const recorded = JSON.parse(
    await readFile(new URL('../../../bench/studies/household-methods.json', import.meta.url), 'utf8'),
  ) as Study;
  const [study] = householdStudies;
  expect(study).toMatchObject({ date: recorded.date, commit: recorded.commit });
  const trained = Object.values(recorded.variants).map(
    ({ final }) => final['GiGPO'] ?? final['GRPO'] ?? final['cloned'],
  );
  const rounded = trained.map((pooled) =>
    [pooled?.rate, pooled?.low, pooled?.high].map((value) => Number(value?.toFixed(4))).join(),
  );
  expect(
    Object.values(study?.success ?? {})
      .map(({ mean, low, high }) => [mean, low, high].join())
      .toSorted(),
  ).toEqual(rounded.toSorted());
  expect(trained.every((pooled) => pooled?.panel.fingerprint === study?.panel.fingerprint)).toBe(true);
});

it.each([
  'household-methods',
  'household-fresh-seeds',
  'household-seeds-20-to-24',
  'household-hard',
  'shop-training',
  'web-training',
  'sql-training',
  'code-training',
  'critique-training',
  'ml-engineering-training',
  'verilog-training',
])('the study %s used the present recipe', async (name) => {
  const recorded = JSON.parse(
    await readFile(new URL(`../../../bench/studies/${name}.json`, import.meta.url), 'utf8'),
  ) as { readonly settings: { readonly env: string } };
  // How often it is asked on the way, and by which backend and seed, is the study's own.
  const {
    evaluation: _evaluation,
    backend: _backend,
    seed: _seed,
    ...recipe
  } = recipeFor(registry.find(recorded.settings.env));
  const settings = trainConfigSchema.parse(recorded.settings); // a key that is newer than the study was at its default
  expect(settings).toMatchObject(JSON.parse(JSON.stringify(recipe)) as object);
});

it('the study used the present panel', async () => {
  const host = await openEnv(householdEnv, {}, createContext({ seed: 0, now: () => 0 }));
  const { fingerprint } = readPanel(host, {
    env: householdEnv.id,
    config: { dialect: 'current', maxSteps: 50 },
    name: 'unseen-1000',
  });
  expect(studyOn(householdEnv, fingerprint)).toEqual(householdStudies[0]);
  await host.close();
});
