import { afterAll, describe, expect, it } from 'vitest';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { promptNames } from '../../../agents/prompt/load-prompt.ts';
import { alfworldEnv } from '../../../envs/alfworld/definition.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { createContext } from '../../../envs/core/context.ts';
import { householdEnv } from '../../../envs/household/definition.ts';
import { openEnv } from '../../../envs/open.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import { benchPresetFor } from '../../../trainers/recipes/bench-preset.ts';
import { writeGames } from '../../support/alfworld-games.ts';
import { describeWithParts } from '../../support/system-part.ts';

const games = writeGames({ train: 1, seen: 1, unseen: 40 });
afterAll(games.remove);

/** What an env cannot be opened without. */
const partsOf: Readonly<Record<string, readonly string[]>> = {
  'web-v1': ['chromium'],
  'shop-browser-v1': ['chromium'],
  'code-v1': ['bubblewrap'],
  'critique-v1': ['bubblewrap'],
  'ml-engineering-v1': ['bubblewrap'],
  'verilog-v1': ['bubblewrap', 'iverilog'],
};

for (const definition of builtInEnvs as readonly AnyEnvDefinition[]) {
  const { id } = definition;
  const { panels, columns, prompt } = benchPresetFor(definition);
  it(`the preset of ${id} names existing prompts`, () => {
    for (const name of typeof prompt === 'string' ? [prompt] : Object.values(prompt.prompts))
      expect(promptNames).toContain(name);
  });
  if (panels.length === 0) continue;
  await describeWithParts(partsOf[id] ?? [], `bench preset of ${id}`, () => {
    it('names panels and families that the env has', async () => {
      const host = await openEnv(
        definition,
        id === 'alfworld-v1' ? { files: games.folder } : {},
        createContext({ seed: 0, now: () => performance.now() }),
      );
      expect(host.panels.filter(({ name }) => panels.includes(name)).map(({ purpose }) => purpose)).toEqual(
        panels.map(() => 'held-out'),
      );
      const size = host.panels.find(({ name }) => name === panels[0])?.size ?? 0;
      const families = new Set(
        Array.from(
          { length: Math.min(size, 500) },
          (_, index) => host.describeTask({ panel: panels[0] ?? '', index }).family,
        ),
      );
      const named = columns.flatMap((column) => (column.kind === 'family' ? [column.family] : []));
      if (named.length > 0) expect([...families].toSorted()).toEqual(named.toSorted());
      await host.close();
    });
  });
}

describe('bench presets', () => {
  it('include columns for the cost of a benchmark', () => {
    for (const definition of [householdEnv, alfworldEnv, shopEnv, { id: 'my-lab/other-v1' } as const]) {
      expect(
        benchPresetFor(definition)
          .columns.slice(-3)
          .map(({ kind }) => kind),
      ).toEqual(['turns', 'time', 'tokens']);
    }
  });
});
