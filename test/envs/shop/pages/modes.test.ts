import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Product } from '../../../../envs/shop/catalogue/product.ts';
import { clickOn, isClickable } from '../../../../envs/shop/command.ts';
import { drawHtml } from '../../../../envs/shop/pages/draw-html.ts';
import { drawRichText, drawText } from '../../../../envs/shop/pages/draw-text.ts';
import { pageOf, receiptOf } from '../../../../envs/shop/pages/page-of.ts';
import type { Page } from '../../../../envs/shop/pages/page.ts';
import { pythonStrip } from '../../../../envs/engines/python-text/python-text.ts';
import type { ItemPlace, ShopPlace } from '../../../../envs/shop/place.ts';
import type { Shop } from '../../../../envs/shop/shop.ts';
import { clickablesOf } from '../clickables.ts';
import { productOf, shopOf } from '../corner-shop.ts';
import { readHtml } from '../read-html.ts';
import { runs } from '../../../support/thorough.ts';

const seeded = { seed: 20_260_101, numRuns: runs(300) };

/** Texts with everything that can break markup, separators and grammars. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.stringMatching(/^[ \n\t<>&"'[\]a-c;#/=-]{0,12}$/),
  fc.constantFrom(
    '',
    ' ',
    '\n',
    '</p>',
    '<!--',
    '<script>alert(1)</script>',
    '&amp;',
    '&#39;',
    '" onclick="x',
    ']]>',
    '${x}',
    'Buy Now',
    '< prev',
    'search',
  ),
);
const anyValue = anyText.map((text) => text.trim().replaceAll('/', ' | ').toLowerCase());

const anyProduct = (index: number): fc.Arbitrary<Product> =>
  fc
    .record({
      name: anyText,
      query: anyText,
      category: anyText,
      productCategory: anyText,
      description: anyText,
      bulletPoints: fc.array(anyText, { maxLength: 3 }),
      attributes: fc.array(anyText, { maxLength: 3 }),
      options: fc.array(
        fc.record({
          name: anyText.map((name) => name.toLowerCase()),
          values: fc.array(anyValue, { maxLength: 4 }),
        }),
        { maxLength: 3 },
      ),
      reviews: fc.array(fc.record({ title: anyText, body: anyText, score: anyText }), { maxLength: 2 }),
      rating: anyText,
    })
    .map((about) =>
      productOf({
        asin: `B0000000${String(index).padStart(2, '0')}`,
        ...about,
        name: `${about.name} findme`,
      }),
    );

interface Scene {
  readonly shop: Shop;
  readonly place: ShopPlace;
  readonly page: Page;
}

const anyScene: fc.Arbitrary<Scene> = fc
  .record({
    stock: fc.tuple(...Array.from({ length: 12 }, (_, index) => anyProduct(index))),
    kind: fc.constantFrom('start', 'results', 'item', 'sub-page'),
    name: fc.constantFrom('Description', 'Features', 'Reviews', 'Attributes'),
    page: fc.integer({ min: 1, max: 3 }),
    product: fc.nat(11),
    choose: fc.infiniteStream(fc.boolean()),
    showAttributes: fc.boolean(),
    strict: fc.boolean(),
    instruction: anyText,
    visited: fc.subarray([0, 1, 2, 3, 11]),
  })
  .map(
    ({ stock, kind, name, page, product, choose, showAttributes, strict, instruction, visited }): Scene => {
      const shop = shopOf(stock, { showAttributes, strict });
      const chosen = [...shop.sheet(product).optionOf].filter(() => choose.next().value);
      const item: ItemPlace = {
        kind: 'item',
        query: 'findme',
        page,
        product,
        options: new Map(chosen.map(([value, option]) => [option, value])),
      };
      const place: ShopPlace =
        kind === 'start'
          ? { kind }
          : kind === 'results'
            ? { kind, query: 'findme', page }
            : kind === 'item'
              ? item
              : { ...item, kind: 'sub-page', name };
      return {
        shop,
        place,
        page: pageOf(shop, { place, visited: new Set(visited) }, { instruction, name: '0' }),
      };
    },
  );

describe('the modes of a page', () => {
  it('show the same texts in html and in text', () => {
    fc.assert(
      fc.property(anyScene, ({ page }) => {
        const { texts, unbalanced } = readHtml(drawHtml(page));
        expect(unbalanced).toEqual([]);
        expect(texts.map(pythonStrip).join(' [SEP] ')).toBe(drawText(page, { strict: false }));
      }),
      seeded,
    );
  });

  it('agree on the clickables, found in html by the rules of the original', () => {
    fc.assert(
      fc.property(anyScene, ({ page }) => {
        const found = clickablesOf(page);
        const visible = readHtml(drawHtml(page)).clickables;
        // A value of blanks has no visible text, but it has an input.
        expect(visible.filter((name) => name.trim() !== '')).toEqual(
          found.filter((name) => name.trim() !== ''),
        );
      }),
      seeded,
    );
  });

  it('give each clickable one button in text_rich', () => {
    fc.assert(
      fc.property(anyScene, ({ page }) => {
        const lines = drawRichText(page, { strict: true });
        for (const name of clickablesOf(page))
          expect(lines.toLowerCase()).toMatch(
            new RegExp(`button\\] ${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)} \\[`, 'u'),
          );
      }),
      seeded,
    );
  });

  it('list all clickables that can be clicked as actions, in the order of the original', () => {
    fc.assert(
      fc.property(anyScene, ({ shop, place, page }) => {
        const actions = clickablesOf(page)
          .filter((name) => isClickable(name, shop))
          .map(clickOn);
        expect(shop.clicksAt(place)).toEqual(actions);
      }),
      seeded,
    );
  });

  it('draw equal pages equally, without markup of the products', () => {
    fc.assert(
      fc.property(anyScene, ({ page }) => {
        const html = drawHtml(page);
        expect(html).not.toMatch(/<script>alert|onclick="/);
        expect(drawHtml(page)).toBe(html);
      }),
      seeded,
    );
  });
});

describe('the last page of the shop', () => {
  it('shows the same texts in html, and has nothing to click', () => {
    const shop = shopOf();
    const receipt = receiptOf(
      shop,
      { kind: 'item', query: 'x', page: 1, product: 0, options: new Map([['color', '<red>']]) },
      { name: '0' },
      0.5,
    );
    const { texts, clickables, unbalanced } = readHtml(drawHtml(receipt));
    expect(texts.map(pythonStrip).join(' [SEP] ')).toBe(drawText(receipt, { strict: false }));
    expect(unbalanced).toEqual([]);
    expect([...clickables, ...clickablesOf(receipt)]).toEqual([]);
  });
});
