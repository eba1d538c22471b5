import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Prompt } from '../../../agents/prompt/prompt.ts';
import { choosePrompt } from '../../../lab/players/choose-prompt.ts';
import { createContext } from '../../../envs/core/context.ts';
import { messageOf, UsageError } from '../../../envs/core/errors.ts';
import { householdEnv } from '../../../envs/household/definition.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import { benchPresetFor } from '../../../trainers/recipes/bench-preset.ts';
import { openEnvSession, rolloutSettingsSchema } from '../../../trainers/env-session.ts';
import { smallPrompt } from '../../agents/prompt/small-prompt.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

async function choose(
  definition: typeof shopEnv | typeof householdEnv,
  envConfig: Readonly<Record<string, unknown>>,
  named?: string,
): Promise<Prompt> {
  await using envSession = await openEnvSession(
    definition,
    rolloutSettingsSchema.parse({ envConfig }),
    createContext({ seed: 0, now: () => 0 }),
  );
  return await choosePrompt(named, { envSession, preset: benchPresetFor(definition).prompt });
}

const inMode = (observationMode: string, named?: string): Promise<Prompt> =>
  choose(shopEnv, { observationMode }, named);
const own = async (name: string, change: object): Promise<string> => {
  const file = path.join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ ...smallPrompt, name, ...change }));
  return file;
};

async function expectRefused(choice: Promise<Prompt>, message: string): Promise<void> {
  const thrown = await choice.then(
    ({ name }) => `${name} was taken`,
    (why: unknown) => why,
  );
  expect(UsageError.is(thrown) ? messageOf(thrown) : thrown).toBe(message);
}

describe('default prompt', () => {
  it.each([
    ['text', 'shop-react'],
    ['text_rich', 'shop-react-text-rich'],
    ['html', 'shop-react-html'],
    ['url', 'shop-react-url'],
  ])('depends on the observation mode of the shop: %s', async (mode, wanted) => {
    const { name, for: envs, requires } = await inMode(mode);
    expect({ name, envs, requires }).toEqual({
      name: wanted,
      envs: mode === 'text' ? ['shop-v1', 'shop-browser-v1'] : ['shop-v1'],
      requires: { observationMode: [mode] },
    });
    expect((await inMode(mode, wanted)).name).toBe(wanted);
  });

  it('depends on the dialect of the household', async () => {
    expect((await choose(householdEnv, { dialect: 'classic' })).name).toBe('household-react-classic');
  });
});

describe('named prompt', () => {
  it.each(['text', 'text_rich', 'html', 'url'])('may be the plain one in the mode %s', async (mode) => {
    expect((await inMode(mode, 'plain')).name).toBe('plain');
  });

  it('must not describe another page than the mode shows', async () => {
    const fix = (names: string): string => `Take ${names}, or leave --prompt out; plain goes with any.`;
    await expectRefused(
      inMode('html', 'shop-react'),
      `prompt shop-react: it requires observationMode "text", and shop-v1 reports "html". ${fix('shop-react-html')}`,
    );
    await expectRefused(
      inMode('url', 'shop-tags'),
      `prompt shop-tags: it requires observationMode "text", and shop-v1 reports "url". ${fix('shop-react-url')}`,
    );
    await expectRefused(
      inMode('text', 'shop-react-html'),
      `prompt shop-react-html: it requires observationMode "html", and shop-v1 reports "text". ${fix('shop-react or shop-tags')}`,
    );
  });

  it('must be for this environment', async () => {
    const fix = 'or leave --prompt out; plain goes with any.';
    await expectRefused(
      choose(householdEnv, {}, 'shop-react'),
      `prompt shop-react: it is for shop-v1 or shop-browser-v1, and this is household-v1. Take household-react or household-tags, ${fix}`,
    );
    await expectRefused(
      inMode('text', 'household-tags'),
      `prompt household-tags: it is for household-v1 or household-hard-v1 or household-small-v1 or alfworld-v1, and this is shop-v1. Take shop-react or shop-tags, ${fix}`,
    );
  });

  it('may be a file, with or without requirements', async () => {
    expect((await inMode('url', await own('any', {}))).name).toBe('any');
    const fussy = await own('fussy', {
      for: ['shop-v1'],
      requires: { observationMode: ['html', 'url'], strict: [true] },
    });
    expect((await choose(shopEnv, { observationMode: 'url', strict: true }, fussy)).name).toBe('fussy');
    await expectRefused(
      inMode('url', fussy),
      'prompt fussy: it requires strict true, and shop-v1 reports false. Take shop-react-url, or leave --prompt out; plain goes with any.',
    );
    await expectRefused(
      inMode('text', fussy),
      'prompt fussy: it requires observationMode "html" or "url", and shop-v1 reports "text". Take shop-react or shop-tags, or leave --prompt out; plain goes with any.',
    );
  });

  it('must not require what the environment does not state', async () => {
    await expectRefused(
      inMode('text', await own('asking', { requires: { dialect: ['current'] } })),
      'prompt asking: it requires dialect "current", and shop-v1 reports none. Take shop-react or shop-tags, or leave --prompt out; plain goes with any.',
    );
  });
});
