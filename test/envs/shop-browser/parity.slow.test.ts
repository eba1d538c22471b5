// Slow: plays whole episodes of the shop in a browser, step by step beside `shop-v1`.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRng, type Rng } from '../../../envs/core/rng.ts';
import type { Env, EnvHost } from '../../../envs/core/env.ts';
import type { StepResult } from '../../../envs/core/step.ts';
import { BrowserEngine } from '../../../envs/engines/browser/session/browser-engine.ts';
import { browseShop, viewport } from '../../../envs/shop-browser/host.ts';
import { shopBrowserEnv } from '../../../envs/shop-browser/definition.ts';
import type { ShopManner } from '../../../envs/shop/host.ts';
import { shopEnv } from '../../../envs/shop/definition.ts';
import { openEnv } from '../../../envs/open.ts';
import type { Acting, Choose } from '../../support/played.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { context, openCorner } from '../shop/corner-shop.ts';

/** The two envs that are compared. */
interface Pair {
  readonly plain: EnvHost<string, string>;
  readonly browsed: EnvHost<string, string>;
}

/** Keys of a result that are equal in both, whatever the browser changes about a page. */
const sides = ({ kind, reward, inadmissible, stateKey }: StepResult<string, string>) => ({
  kind,
  reward,
  inadmissible,
  stateKey,
});

const longest = 8;

/** The searcher plays every fourth episode to the end. Two steps are enough for the others. */
const isSearchers = (seed: number): boolean => seed % 4 === 0;
const stepsOf = (seed: number): number => (isSearchers(seed) ? longest : 2);

/** Actions that a policy may give although no page suggests them. */
const oddActions: readonly string[] = [
  '',
  ' ',
  'search',
  'search[]',
  'search[ ]',
  'search[  Two  Blanks ]',
  'search[a [b] c]',
  'search[x] y]',
  'search[x]\nclick[buy now]',
  'search[SHIRT] and more',
  'search[tab\tand\u0001 more\u0000]',
  'search[\u2028line\u0085]',
  'search[caf\u00e9 \u{1f600} e\u0301 \ufeff]',
  `search[${'long '.repeat(200)}]`,
  'search[100% "quoted" <b>&amp;+=?#]',
  'click[]',
  'click[search]',
  'click[Back To Search]',
  'click[buy now]',
  'click[< PREV]',
  'click[next >]',
  'click[skip to the content]',
  'click[webshop]',
  'click[next >] please',
  'click [next >]',
  'Click[next >]',
  'think[what to do]',
  '\u0000',
  'click[features]',
  'click[description',
  ']',
  '[[',
  'search[shirt',
];

/** Plays one task in both, step by step. */
class Duel {
  readonly #pair: Pair;
  readonly #envs: { plain: Env<string, string>; browsed: Env<string, string> };
  steps = 0;
  bought = 0;
  inadmissible = 0;

  private constructor(pair: Pair, envs: { plain: Env<string, string>; browsed: Env<string, string> }) {
    this.#pair = pair;
    this.#envs = envs;
  }

  static async open(pair: Pair): Promise<Duel> {
    return new Duel(pair, { plain: await pair.plain.create(), browsed: await pair.browsed.create() });
  }

  async play(seed: number, { sameTexts }: { readonly sameTexts: boolean }): Promise<void> {
    const { plain, browsed } = this.#envs;
    const rng = createRng(31).fork(seed);
    const task = { panel: rng.pick(['train', 'dev', 'test']), index: rng.int(5) };
    const choose = this.#chooser(seed, rng);
    let turn: Acting = await plain.reset(task, context);
    let seen: Acting = await browsed.reset(task, context);
    const look = (): void => {
      const same = ({ admissible, stateKey, anchorKey, stepsLeft, seat }: Acting): unknown => ({
        admissible,
        stateKey,
        anchorKey,
        stepsLeft,
        seat,
      });
      expect(same(seen)).toEqual(same(turn));
      if (sameTexts) expect(seen.observation).toBe(turn.observation);
    };
    look();
    for (let step = 0; step < stepsOf(seed); step += 1) {
      const action = choose(turn);
      const expected = await plain.step(action, context);
      const result = await browsed.step(action, context);
      this.steps += 1;
      this.inadmissible += Number(result.inadmissible);
      expect(sides(result), action).toEqual(sides(expected));
      if (result.kind !== 'ongoing' || expected.kind !== 'ongoing') {
        expect({ ...result, observation: '' }).toEqual({ ...expected, observation: '' });
        this.bought += 1;
        return;
      }
      turn = expected;
      seen = result;
      look();
    }
  }

  /** Plays by the seed as the searcher, at random, or at random with odd actions. */
  #chooser(seed: number, rng: Rng): Choose {
    const atRandom: Choose = ({ admissible = [] }) =>
      rng.pick(admissible.includes('click[buy now]') && rng.int(3) === 0 ? ['click[buy now]'] : admissible);
    const searcher = this.#pair.plain.experts?.searcher?.(createRng(seed));
    if (isSearchers(seed) && searcher !== undefined) return (turn) => searcher.act(turn);
    if (seed % 4 === 1) return atRandom;
    return (turn) => (rng.int(3) === 0 ? rng.pick(oddActions) : atRandom(turn));
  }

  async close(): Promise<void> {
    await this.#envs.plain.close();
    await this.#envs.browsed.close();
  }
}

/** Plays an episode for each seed, with `atOnce` contexts. */
async function compare(
  pair: Pair,
  {
    seeds,
    sameTexts,
    atOnce = 4,
  }: { readonly seeds: readonly number[]; readonly sameTexts: boolean; readonly atOnce?: number },
) {
  const left = seeds.values();
  const duels = await Promise.all(Array.from({ length: atOnce }, () => Duel.open(pair)));
  await Promise.all(
    duels.map(async (duel) => {
      for (const seed of left) await duel.play(seed, { sameTexts });
      await duel.close();
    }),
  );
  const sum = (of: (duel: Duel) => number): number => duels.reduce((total, duel) => total + of(duel), 0);
  return {
    steps: sum(({ steps }) => steps),
    bought: sum(({ bought }) => bought),
    inadmissible: sum(({ inadmissible }) => inadmissible),
  };
}

const from = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

await describeWithParts(['chromium'], 'the shop in a browser and shop-v1', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await BrowserEngine.open({ viewport })));
  afterAll(() => engine.close());

  const corner = (manner: Partial<ShopManner> = {}): Pair => {
    const { strict = false } = manner;
    return {
      plain: openCorner(manner),
      browsed: browseShop(openCorner(manner), {
        engine,
        observationMode: 'text',
        patienceMs: 60_000,
        strict,
      }),
    };
  };

  it('play 48 episodes alike: 24 in shops of odd products, 24 among generated products', async () => {
    const generated: Pair = {
      plain: await openEnv(shopEnv, { maxSteps: longest }, context),
      browsed: await openEnv(shopBrowserEnv, { maxSteps: longest, observationMode: 'text' }, context),
    };
    const parts = [
      await compare(corner(), { seeds: from(0, 14), sameTexts: true }),
      await compare(corner({ strict: true, showAttributes: true }), { seeds: from(14, 10), sameTexts: true }),
      await compare(generated, { seeds: from(24, 24), sameTexts: true }),
    ];
    await generated.plain.close();
    await generated.browsed.close();
    const sum = (of: (part: (typeof parts)[number]) => number): number =>
      parts.reduce((total, part) => total + of(part), 0);
    expect(sum(({ steps }) => steps)).toBeGreaterThan(120);
    expect(sum(({ bought }) => bought)).toBeGreaterThan(8);
    expect(sum(({ inadmissible }) => inadmissible)).toBeGreaterThan(7);
  }, 1_200_000);
});
