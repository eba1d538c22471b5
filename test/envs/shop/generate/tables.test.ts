import { describe, expect, it } from 'vitest';
import { listed } from '../../../../envs/shop/generate/option-kind.ts';
import { prepareTypes } from '../../../../envs/shop/generate/prepared-type.ts';
import { slotNames } from '../../../../envs/shop/generate/sentence.ts';
import { departments } from '../../../../envs/shop/generate/tables/departments.ts';

const types = prepareTypes(departments);
const allAttributes = departments.flatMap(({ attributes }) => attributes);
const measureSlot = slotNames.indexOf('measure');
const textOf = (sentence: { readonly parts: readonly string[] }): string =>
  sentence.parts.join(' ').toLowerCase();

describe('departments', () => {
  it('match the five of WebShop, with 85 types in more than 60 paths', () => {
    expect(departments.map(({ name }) => name)).toEqual([
      'fashion',
      'beauty',
      'electronics',
      'garden',
      'grocery',
    ]);
    expect(types.length).toBe(85);
    expect(new Set(types.map(({ table }) => table.query)).size).toBe(types.length);
    expect(new Set(types.map(({ table }) => table.path)).size).toBeGreaterThan(60);
  });

  it('no attribute is duplicate, and none is unused by all types', () => {
    for (const { attributes, types: tables, rivals } of departments) {
      const names = attributes.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      const used = new Set(tables.flatMap((table) => listed(table.attributes)));
      expect(names.filter((name) => !used.has(name))).toEqual([]);
      expect(rivals.flatMap((rival) => listed(rival)).filter((name) => !names.includes(name))).toEqual([]);
    }
  });
});

describe('attributes of departments', () => {
  it('stand by name in the sentences that show them, and not in those that hint at them', () => {
    for (const { name, title, shown, hinted } of allAttributes) {
      expect(name).toMatch(/^[a-z0-9]+(?: [a-z0-9]+)+$/);
      expect(shown.length).toBeGreaterThanOrEqual(2);
      for (const text of shown) expect(text.slice(text.indexOf(': ')).toLowerCase()).toContain(name);
      for (const text of hinted) expect(text.toLowerCase()).not.toContain(name);
      if (title !== undefined) expect(title.toLowerCase()).toContain(name);
    }
  });

  it('words for instructions are lower-case', () => {
    for (const { words } of allAttributes) {
      expect(words.after).toMatch(/^(?:made of|with|for|that \{is\}) [a-z0-9 ]+$/);
      expect(words.should).toMatch(/^(?:be made of|be good for|have|be) [a-z0-9 ]+$/);
      expect(words.before ?? 'none').toMatch(/^[a-z0-9 ]+$/);
    }
  });
});

describe('product types', () => {
  it('types have different names, words and paths, and a price range', () => {
    for (const { table, attributes, ...type } of types) {
      const names = table.path.split(' › ');
      expect(table.query).toBe(table.query.toLowerCase().trim());
      expect(names.length, table.query).toBeGreaterThanOrEqual(2);
      expect(new Set(names).size, table.query).toBe(names.length);
      expect(attributes.length, table.query).toBeGreaterThanOrEqual(9);
      for (const list of [type.heads, type.styles, type.materials, type.features, type.uses, type.colors]) {
        expect(list.length, table.query).toBeGreaterThanOrEqual(4);
        expect(new Set(list.map(({ title }) => title)).size, table.query).toBe(list.length);
      }
      expect(table.prices[0], table.query).toBeGreaterThanOrEqual(3);
      expect(table.prices[1], table.query).toBeGreaterThan(2 * table.prices[0]);
    }
  });

  it('three attributes of a type go together, in whatever order they are taken', () => {
    for (const { table, attributes, rivals } of types) {
      for (let first = 0; first < attributes.length; first += 1) {
        const held: number[] = [];
        for (let offset = 0; offset < attributes.length; offset += 1) {
          const index = (first + offset) % attributes.length;
          if (held.every((other) => !(rivals[index]?.has(other) ?? false))) held.push(index);
        }
        expect(held.length, table.query).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it('mention their attributes in the sentences of these only, so that other products do not seem to have them', () => {
    for (const { attributes, pitches, ...type } of types) {
      const words = [
        ...type.heads,
        ...type.styles,
        ...type.materials,
        ...type.features,
        ...type.uses,
        ...type.colors,
      ];
      const texts = [...pitches.map(textOf), ...words.map(({ title }) => title.toLowerCase())];
      for (const { attribute } of attributes)
        expect(texts.filter((text) => text.includes(attribute.name))).toEqual([]);
    }
  });

  it('option values of a type can be clicked', () => {
    for (const { table, options } of types) {
      expect(options.length, table.query).toBeGreaterThanOrEqual(1);
      for (const { name, values, most } of options) {
        expect(name).toMatch(/^[a-z]+(?: [a-z]+)*$/);
        expect(Math.min(values.length, most)).toBeGreaterThanOrEqual(3);
        expect(new Set(values).size).toBe(values.length);
        for (const value of values) expect(value).toMatch(/^[a-z0-9.()|' -]+$/);
      }
    }
  });

  it('mention a measure only when they have one', () => {
    for (const { table, pitches, attributes } of types) {
      if (table.measure !== 'none') continue;
      const sentences = [...pitches, ...attributes.flatMap(({ shown, hinted }) => [...shown, ...hinted])];
      expect(sentences.filter(({ slots }) => slots.includes(measureSlot)).map(textOf)).toEqual([]);
    }
  });

  it('names of a type consist of words in its titles', () => {
    for (const { table, heads, asked } of types) {
      const titles = heads.map(({ title }) => title.toLowerCase());
      const core = (table.thing.split(' ').at(-1) as string).replace(/s$/, '');
      expect(titles.filter((title) => !title.includes(core))).toEqual([]);
      for (const text of asked)
        expect(titles.some((title) => title.split(' ').some((word) => text.includes(word)))).toBe(true);
      for (const { title, plain } of heads) {
        for (const word of plain.split(' '))
          if (!['a', 'of'].includes(word)) expect(title.toLowerCase()).toContain(word.replace(/s$/, ''));
      }
    }
  });
});
