import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../../envs/core/json.ts';
import {
  generatedCatalogue,
  type GeneratedCatalogue,
} from '../../../../envs/shop/generate/generated-catalogue.ts';
import { goalsPerProduct, wordingsFor } from '../../../../envs/shop/generate/goal-maker.ts';
import { endings, openers } from '../../../../envs/shop/generate/instruction.ts';
import { createCatalogue } from '../../../../envs/shop/catalogue/memory-catalogue.ts';
import type { Goal } from '../../../../envs/shop/goals/goal.ts';
import type { GoalPanel } from '../../../../envs/shop/goals/goal.ts';
import { noCap } from '../../../../envs/shop/goals/price-cap.ts';
import { readInstruction } from '../../../../envs/shop/instruction-parts.ts';
import { scorePurchase } from '../../../../envs/shop/reward/score-purchase.ts';
import { tagNouns } from '../../../../envs/shop/reward/tagged-nouns.ts';
import { goalContent } from '../../../../envs/shop/task.ts';

const shop = generatedCatalogue({ products: 1_000, seed: 1 });
const catalogue = createCatalogue('generated', shop.products());
const nouns = tagNouns();
const goalsOf = (panel: GoalPanel, limit = panel.size): readonly Goal[] =>
  Array.from({ length: Math.min(panel.size, limit) }, (_, index) => panel.goal(index));
const panelOf = ({ panels }: GeneratedCatalogue, name: string): GoalPanel =>
  panels.find((panel) => panel.name === name) as GoalPanel;
const all = new Map(shop.panels.map((panel) => [panel.name, goalsOf(panel)]));
const every = [...all.values()].flat();
const anyGoal = fc.constantFrom(...every);
const productOf = (goal: Goal) => catalogue.product(catalogue.find(goal.asin) as number);

describe('the goal panels of a generated shop', () => {
  it('number train, dev and test as the original numbers its goals', () => {
    expect(shop.panels.map(({ name, size, first, purpose }) => ({ name, size, first, purpose }))).toEqual([
      { name: 'train', size: 616 * goalsPerProduct, first: 756, purpose: 'train' },
      { name: 'dev', size: 256, first: 500, purpose: 'dev' },
      { name: 'test', size: 500, first: 0, purpose: 'held-out' },
    ]);
    for (const panel of shop.panels)
      for (const index of [-1, panel.size, 0.5]) expect(() => panel.goal(index)).toThrow(RangeError);
  });

  it('keep their recorded digests on every machine until the generator has a new version', () => {
    const digest = (goals: readonly Goal[]): string =>
      createHash('sha256')
        .update(canonicalJson(goals.map((goal) => goalContent(goal))))
        .digest('hex')
        .slice(0, 32);
    expect(Object.fromEntries([...all].map(([name, goals]) => [name, digest(goals)]))).toEqual({
      train: '6f087ecd66e6b68da17009003b2ab02b',
      dev: 'b85b9153fee9affde64679d54e9ad08d',
      test: '051773fc67bf2962a21336353b23e5e4',
    });
  });

  it('share types of products and some wishes, but no product, line, instruction or wording', () => {
    const names = [...all.keys()];
    const blocks = (goals: readonly Goal[]): Set<number> =>
      new Set(goals.map(({ asin }) => Math.floor((catalogue.find(asin) as number) / 8)));
    const kind = ({ query, attributes }: Goal): string => `${query}: ${[...attributes].toSorted().join()}`;
    for (const one of names) {
      for (const other of names) {
        if (one === other) continue;
        const [goals, others] = [all.get(one) ?? [], all.get(other) ?? []];
        const overlap = <T>(of: (goal: Goal) => T): number => {
          const there = new Set(others.map(of));
          return goals.filter((goal) => there.has(of(goal))).length;
        };
        expect(overlap(({ asin }) => asin)).toBe(0);
        expect(overlap(({ instruction }) => instruction)).toBe(0);
        expect([...blocks(goals)].filter((block) => blocks(others).has(block))).toEqual([]);
        if (other === 'train') {
          expect(overlap(({ query }) => query)).toBeGreaterThan(0.9 * goals.length); // nearly every type of product is met in training
          expect(overlap(kind)).toBeLessThan(0.7 * goals.length); // but fewer than this share of the wishes for it
        }
      }
    }
    const said = Object.values(wordingsFor).map(
      (wordings) => new Set(wordings.map(({ opener, ending }) => `${opener} ${ending}`)),
    );
    expect(said.reduce((sum, { size }) => sum + size, 0)).toBe(
      new Set(said.flatMap((wordings) => [...wordings])).size,
    );
    expect(new Set(said.flatMap((wordings) => [...wordings])).size).toBe(openers.length * endings.length);
    for (const wordings of Object.values(wordingsFor)) {
      expect(new Set(wordings.map(({ opener }) => opener)).size).toBe(openers.length);
      expect(new Set(wordings.map(({ ending }) => ending)).size).toBe(endings.length);
    }
  });

  it('ask a product for different attributes each time', () => {
    for (const goals of all.values()) {
      const asked = new Set(
        goals.map(({ asin, attributes }) => `${asin} ${[...attributes].toSorted().join()}`),
      );
      expect(asked.size).toBe(goals.length);
    }
  });

  it('a large shop has a product for every goal, and at most 100,000 goals', () => {
    const large = generatedCatalogue({ products: 1_181_436, seed: 1 });
    expect(large.panels.map(({ size }) => size)).toEqual([100_000, 256, 500]);
    const asins = [
      ...goalsOf(panelOf(large, 'test')),
      ...goalsOf(panelOf(large, 'dev')),
      ...goalsOf(panelOf(large, 'train'), 3_000),
    ].map(({ asin }) => asin);
    expect(new Set(asins).size).toBe(asins.length);
  });

  it('share no product with another panel of the same seed, whatever their sizes', () => {
    const panelsOf = new Map<string, Set<string>>();
    for (const products of [1_000, 1_100, 2_000, 5_555, 20_000]) {
      for (const panel of generatedCatalogue({ products, seed: 1 }).panels) {
        for (const { asin } of goalsOf(panel, 3_000))
          panelsOf.set(asin, (panelsOf.get(asin) ?? new Set()).add(panel.name));
      }
    }
    expect([...panelsOf].filter(([, names]) => names.size > 1)).toEqual([]);
  });

  it('share no product with each other, whatever the size of the shop', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 9_000 }), fc.nat(), (products, seed) => {
        const { panels } = generatedCatalogue({ products, seed });
        const seen = new Map<string, string>();
        for (const panel of panels) {
          for (const { asin } of goalsOf(panel, 700)) {
            expect(seen.get(asin) ?? panel.name).toBe(panel.name);
            seen.set(asin, panel.name);
          }
        }
      }),
      { numRuns: 4 },
    );
  });
});

describe('generated goals', () => {
  it('give the full reward for their product with their options', () => {
    for (const goal of every.filter((_, index) => index % 4 === 0)) {
      const product = productOf(goal);
      const options = new Map<string, string>();
      for (const { value } of goal.options)
        options.set(product.options.find(({ values }) => values.includes(value))?.name ?? '', value);
      const score = scorePurchase(
        { product, price: catalogue.price(catalogue.find(goal.asin) as number), options },
        goal,
        nouns,
      );
      expect(score, goal.instruction).toMatchObject({
        total: 1,
        attributesMatched: goal.attributes.length,
        optionsMatched: goal.options.length,
        priceFits: true,
      });
    }
  });

  it('derive from their product', () => {
    fc.assert(
      fc.property(anyGoal, (goal) => {
        const { name, query, category, productCategory, attributes, options } = productOf(goal);
        expect(goal).toMatchObject({ name, query, category, productCategory, weight: 1 });
        for (const attribute of goal.attributes) expect(attributes).toContain(attribute);
        expect(goal.attributes.length).toBeGreaterThanOrEqual(1);
        expect(goal.attributes.length).toBeLessThanOrEqual(3);
        const holders = goal.options.map(({ value }) =>
          options.findIndex(({ values }) => values.includes(value)),
        );
        expect(holders).not.toContain(-1);
        expect(new Set(holders).size).toBe(holders.length);
      }),
    );
  });

  it('state all that they ask for: option values as they are clicked, and the price', () => {
    for (const { instruction, options, priceUpper } of every) {
      for (const { value } of options) expect(instruction).toContain(value);
      expect(readInstruction(instruction).priceUpper).toBe(priceUpper === noCap ? Infinity : priceUpper);
      expect(instruction).toBe(instruction.toLowerCase());
      expect(instruction).not.toMatch(/[{}[\]]|undefined| {2}| ,|,,|\.\./);
      expect(instruction).not.toMatch(
        /\ba (?!one|eu)[aeio]|\ba hdmi|\ban (?![aeiou8]|hdmi|led|lte|l shaped|x-|spf)/,
      );
    }
  });

  it('begin and end with the wordings of their panel, which no other panel has', () => {
    for (const [name, goals] of all) {
      const allowed = new Set(
        wordingsFor[name as keyof typeof wordingsFor].map(({ opener, ending }) => `${opener} ${ending}`),
      );
      for (const { instruction, priceUpper } of goals) {
        const ends = endings.map(({ before, open }) =>
          priceUpper === noCap ? open : `${before} ${priceUpper.toFixed(2)} dollars`,
        );
        const ending = ends
          .map((end, index) => [end, index] as const)
          .filter(([end]) => instruction.endsWith(end))
          .toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
        const begins = openers
          .map((opener, index) => [opener, index] as const)
          .filter(([opener]) => instruction.startsWith(`${opener} `));
        const opener = begins.toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
        expect(allowed, instruction).toContain(`${opener} ${ending}`);
      }
    }
  });

  it('cap the price at one of the next four multiples of ten', () => {
    for (const goal of every) {
      const price = catalogue.price(catalogue.find(goal.asin) as number);
      if (goal.priceUpper === noCap) {
        expect(price).toBeGreaterThanOrEqual(970);
        continue;
      }
      expect(goal.priceUpper % 10).toBe(0);
      expect(goal.priceUpper).toBeGreaterThan(price);
      expect(goal.priceUpper).toBeLessThanOrEqual(Math.min(990, 10 * Math.floor(price / 10) + 40));
    }
  });

  it('ask for two attributes on average, and for options about as often as products have them', () => {
    const mean = every.reduce((sum, { attributes }) => sum + attributes.length, 0) / every.length;
    expect(mean).toBeGreaterThan(1.7);
    expect(mean).toBeLessThan(2.2);
    const withOptions = every.filter(({ options }) => options.length > 0).length / every.length;
    expect(withOptions).toBeGreaterThan(0.33);
    expect(withOptions).toBeLessThan(0.5);
    expect(new Set(every.map(({ instruction }) => instruction)).size / every.length).toBeGreaterThan(0.97);
  });

  it('a search for the title finds the product of a goal on its first page, mostly first', () => {
    let first = 0;
    for (let number = 0; number < catalogue.size; number += 1) {
      const { name } = catalogue.product(number);
      const found = catalogue.search(name);
      expect(found.slice(0, 10), name).toContain(number);
      if (found[0] === number) first += 1;
    }
    expect(first / catalogue.size).toBeGreaterThan(0.97);
  });

  it('need more than a search: the first product found, bought as it is, mostly fails', () => {
    const goals = all.get('dev') ?? [];
    let asItIs = 0;
    let withOptions = 0;
    let found = 0;
    for (const goal of goals) {
      const results = catalogue.search(readInstruction(goal.instruction).wish);
      const [first] = results;
      if (results.includes(catalogue.find(goal.asin) as number)) found += 1;
      if (first === undefined) continue;
      const product = catalogue.product(first);
      const options = new Map(
        product.options.flatMap(({ name, values }) =>
          values
            .filter((value) => goal.options.some((asked) => asked.value === value))
            .map((value) => [name, value] as const),
        ),
      );
      const buy = (chosen: ReadonlyMap<string, string>): number =>
        scorePurchase({ product, price: catalogue.price(first), options: chosen }, goal, nouns).total;
      if (buy(new Map()) === 1) asItIs += 1;
      if (buy(options) === 1) withOptions += 1;
    }
    expect(asItIs / goals.length).toBeLessThan(0.45);
    expect(withOptions / goals.length).toBeLessThan(0.8);
    expect(found / goals.length).toBeGreaterThan(0.95);
  });
});
