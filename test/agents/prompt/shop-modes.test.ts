import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadPrompt, promptNames } from '../../../agents/prompt/load-prompt.ts';
import { openingText } from '../../../agents/prompt/conversation.ts';
import { createContext } from '../../../envs/core/context.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import { openEnv } from '../../../envs/open.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import { drawerOf, observationModes } from '../../../envs/shop/observation.ts';
import { pageOf } from '../../../envs/shop/pages/page-of.ts';
import type { ItemPlace, SubPagePlace } from '../../../envs/shop/place.ts';
import { productOf, shopOf } from '../../envs/shop/corner-shop.ts';
import { expectSameTranscript, taskOf } from './same-transcript.ts';

const prompts = await Promise.all(
  promptNames.filter((name) => name.startsWith('shop-')).map((name) => loadPrompt(name)),
);

describe('prompts of the shop', () => {
  it('cover one observation mode each, and every mode', () => {
    for (const prompt of prompts)
      expect([prompt.for, prompt.requires['observationMode']?.length], prompt.name).toEqual([
        prompt.requires['observationMode']?.[0] === 'text' ? ['shop-v1', 'shop-browser-v1'] : ['shop-v1'],
        1,
      ]);
    expect(new Set(prompts.flatMap(({ requires }) => requires['observationMode']))).toEqual(
      new Set(observationModes),
    );
  });

  it('mention marks of the page only in the modes that have them', () => {
    const speaking = (mark: string): readonly string[] =>
      prompts.flatMap(({ name, system }) => (system.includes(mark) ? [name] : []));
    expect(speaking('[SEP]')).toEqual(['shop-react', 'shop-tags']);
    expect(speaking('[button]')).toEqual(['shop-react-text-rich']);
    expect(speaking('HTML')).toEqual(['shop-react-html']);
    expect(speaking('only its address')).toEqual(['shop-react-url']);
  });

  it('list the actions only in the mode whose page shows none', () => {
    expect(prompts.flatMap(({ name, actions }) => (actions.shown === 'always' ? [name] : []))).toEqual([
      'shop-react-url',
    ]);
  });
});

/** A shop of one product with so many options and a description as long as the longest of the original that is at hand. */
const kettle = (values: number) =>
  shopOf(
    [
      productOf({
        asin: 'B000000001',
        name: 'Kettle of Steel',
        description: 'd'.repeat(15_481),
        options: [
          {
            name: 'color',
            values: Array.from({ length: values }, (_, value) => `brushed steel, number ${value}`),
          },
        ],
      }),
    ],
    {},
  );

function pageIn(
  mode: (typeof observationModes)[number],
  values: number,
  place: Pick<ItemPlace, 'kind'> | Pick<SubPagePlace, 'kind' | 'name'>,
): string {
  const page = pageOf(
    kettle(values),
    { place: { query: 'kettle', page: 1, product: 0, options: new Map(), ...place }, visited: new Set([0]) },
    { instruction: 'i want a kettle', name: '0' },
  );
  return drawerOf(mode, { strict: false })(page);
}

it('the prompt plain shows a product of 250 options whole in every mode but html', async () => {
  const { observationCharacters } = await loadPrompt('plain');
  const whole = observationModes.filter((mode) =>
    [pageIn(mode, 250, { kind: 'item' }), pageIn(mode, 0, { kind: 'sub-page', name: 'Description' })].every(
      ({ length }) => length <= observationCharacters,
    ),
  );
  expect(whole).toEqual(observationModes.filter((mode) => mode !== 'html'));
});

describe.each(prompts.map((prompt) => [prompt.name, prompt] as const))('prompt %s', (_, prompt) => {
  const [mode] = observationModes.filter((name) => prompt.requires['observationMode']?.includes(name));
  const seen = (
    values: number,
    place: Pick<ItemPlace, 'kind'> | Pick<SubPagePlace, 'kind' | 'name'>,
  ): string => {
    if (mode === undefined) throw new Error('the prompt is for no mode');
    return pageIn(mode, values, place);
  };
  const shown = (observation: string): string => openingText(prompt, { instruction: '', observation });

  it('shows a product with 250 options, and the longest original description at hand, whole', () => {
    for (const observation of [
      seen(250, { kind: 'item' }),
      seen(0, { kind: 'sub-page', name: 'Description' }),
    ])
      expect(shown(observation)).toContain(observation);
  });

  it('shows title, price and the buy button, however many options there are', () => {
    const observation = seen(5_000, { kind: 'item' });
    const kept = ['Kettle of Steel', 'Price: $10.0', 'Buy Now'].filter((text) => observation.includes(text));
    expect(kept).toHaveLength(mode === 'url' ? 0 : 3);
    for (const text of kept) expect(shown(observation)).toContain(text);
    expect(shown(observation).includes('characters are left out here')).toBe(mode !== 'url');
  });
});

describe.each(observationModes)('example of the shop in the mode %s', (observationMode) => {
  const told = prompts
    .filter(({ requires }) => requires['observationMode']?.includes(observationMode))
    .flatMap(({ examples, grammar, observationCharacters }) =>
      examples.flatMap((example) =>
        example.source === undefined ? [] : [{ example, grammar, observationCharacters }],
      ),
    );
  let shop: EnvHost<string, string> | undefined;
  beforeAll(
    async () =>
      void (shop = await openEnv(shopEnv, { observationMode }, createContext({ seed: 0, now: () => 0 }))),
  );
  afterAll(() => shop?.close());

  it('replays exactly, and is shown whole', async () => {
    expect(told).toHaveLength(observationMode === 'text_rich' || observationMode === 'html' ? 1 : 0); // of text it is made up and names no source
    for (const { example, grammar, observationCharacters } of told) {
      if (shop === undefined) throw new Error('the shop is not open');
      await expectSameTranscript(shop, taskOf(example, 'shop-v1'), { example, grammar });
      for (const { observation } of example.turns)
        expect(observation.length).toBeLessThanOrEqual(observationCharacters);
    }
  });
});
