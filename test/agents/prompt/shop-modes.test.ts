import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPrompt, promptNames } from '../../../agents/prompt/load-prompt.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import { openEnv } from '../../../envs/open.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import { observationModes } from '../../../envs/shop/observation.ts';
import { expectSameStory, taskOf } from './same-story.ts';

const prompts = await Promise.all(promptNames.filter((name) => name.startsWith('shop-')).map((name) => loadPrompt(name)));

describe('the prompts of the shop', () => {
  it('are each for one mode of observation, and every mode has one', () => {
    for (const prompt of prompts) expect([prompt.for, prompt.requires['observationMode']?.length], prompt.name).toEqual([['shop-v1'], 1]);
    expect(new Set(prompts.flatMap(({ requires }) => requires['observationMode']))).toEqual(new Set(observationModes));
  });

  it('speak of marks of the page only where the mode has them', () => {
    const speaking = (mark: string): readonly string[] => prompts.flatMap(({ name, system }) => (system.includes(mark) ? [name] : []));
    expect(speaking('[SEP]')).toEqual(['shop-react', 'shop-tags']);
    expect(speaking('[button]')).toEqual(['shop-react-text-rich']);
    expect(speaking('HTML')).toEqual(['shop-react-html']);
    expect(speaking('only its address')).toEqual(['shop-react-url']);
  });

  it('list the actions where the page shows none', () => {
    expect(prompts.flatMap(({ name, actions }) => (actions.shown === 'always' ? [name] : []))).toEqual(['shop-react-url']);
  });
});

describe.each(observationModes)('an example of the shop in the mode %s', (observationMode) => {
  const told = prompts
    .filter(({ requires }) => requires['observationMode']?.includes(observationMode))
    .flatMap(({ examples, grammar, observationCharacters }) => examples.flatMap((example) => (example.source === undefined ? [] : [{ example, grammar, observationCharacters }])));
  let shop: EnvHost<string, string> | undefined;
  beforeAll(async () => void (shop = await openEnv(shopEnv, { observationMode }, createContext({ seed: 0, now: () => 0 }))));
  afterAll(() => shop?.close());

  it('happens just so, and is shown whole', async () => {
    expect(told).toHaveLength(observationMode === 'text_rich' || observationMode === 'html' ? 1 : 0); // of text it is made up and names no source
    for (const { example, grammar, observationCharacters } of told) {
      if (shop === undefined) throw new Error('the shop is not open');
      await expectSameStory(shop, taskOf(example, 'shop-v1'), { example, grammar });
      for (const { observation } of example.turns) expect(observation.length).toBeLessThanOrEqual(observationCharacters);
    }
  });
});
