// Slow: opens every environment, and some index documents or run all of their programs.
import { expect, it } from 'vitest';
import { builtInEnvs } from '../../../envs/catalog.ts';
import { createContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';
import { fingerprintPanels } from '../../../lab/catalogue/entry.ts';
import { recordedCatalogue } from '../../support/recorded-catalogue.ts';

const { envs } = recordedCatalogue();
const measured = builtInEnvs.filter(({ id }) => envs[id]?.result.kind === 'measured');

it.each(measured.map((definition) => [definition.id, definition] as const))(
  'the tasks of %s are those that the catalogue measured (npm run catalogue -- ID)',
  async (id, definition) => {
    const host = await openEnv(definition, {}, createContext({ seed: 0, now: () => performance.now() }));
    const result = envs[id]?.result;
    expect(result?.kind === 'measured' ? result.panels : undefined).toBe(fingerprintPanels(host));
    await host.close();
  },
);
