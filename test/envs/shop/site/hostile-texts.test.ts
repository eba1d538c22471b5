import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Product } from '../../../../envs/shop/catalogue/product.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import { openShop } from '../../../../envs/shop/host.ts';
import { createCatalogue } from '../../../../envs/shop/catalogue/memory-catalogue.ts';
import { scorePurchase } from '../../../../envs/shop/reward/score-purchase.ts';
import { createShopSite } from '../../../../envs/shop/site/shop-site.ts';
import { productArbitrary } from '../../../support/product-arbitrary.ts';
import { goalOf, panelOf, plainManner, plainNouns } from '../corner-shop.ts';
import { act, sendTo } from './site-visitor.ts';

/** Texts that try to be markup. */
const attack = fc.constantFrom(
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus='alert(1)",
  '</button></form><form action=//evil.invalid>',
  '<!--',
  ']]>',
  '&lt;b&gt;',
  '<base href=//evil.invalid>',
  '\u202Eoverride',
  '{{7*7}}',
  '${7*7}',
  '\u0000',
  '\r\nset-cookie: a=b',
  'javascript:alert(1)',
  'back to search',
  'buy now',
  'search',
  '< prev',
);

const hostile: fc.Arbitrary<Product> = fc
  .record({
    product: productArbitrary,
    words: fc.array(attack, { minLength: 6, maxLength: 6 }),
    asin: fc.oneof(
      fc.stringMatching(/^[A-Z0-9]{1,10}$/),
      fc.constantFrom('NEXT >', 'next >', '< Prev', '"><b>', 'B[0]'),
    ),
  })
  .map(
    ({ product, words: [name = '', text = '', option = '', value = '', title = '', rating = ''], asin }) => ({
      ...product,
      asin,
      name: `${product.name} findme ${name}`,
      description: product.description + text,
      bulletPoints: [...product.bulletPoints, text],
      options: [
        ...product.options.map(({ name: called, values }) => ({
          name: called.toLowerCase(),
          values: values.map((one) => one.toLowerCase()),
        })),
        { name: option, values: [value, value, `${value} x`, text.toLowerCase()] },
      ],
      reviews: [...product.reviews, { title, body: text, score: rating }],
      rating,
      priceText: product.priceText + rating,
      pricing: [10],
    }),
  );

describe('products with hostile texts', () => {
  it('show as text on every page, and every listed click keeps its one button', async () => {
    let pages = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(hostile, { minLength: 1, maxLength: 6, selector: ({ asin }) => asin }),
        attack,
        fc.nat(),
        fc.boolean(),
        async (stock, instruction, seed, strict) => {
          const [first] = stock;
          const goals = [goalOf(first as Product, { instruction: `buy ${instruction}` })];
          const parts = {
            catalogue: createCatalogue('generated', stock),
            panels: [panelOf('dev', 'dev', goals)],
            nouns: plainNouns,
            score: scorePurchase,
          };
          const visit = openShop(parts, { ...plainManner, strict, showAttributes: true }).visit({
            panel: 'dev',
            index: 0,
          });
          const send = sendTo(createShopSite(visit));
          const rng = createRng(3).fork(seed);
          let page = await act(send, await send('/'), { search: 'findme' });
          for (let step = 0; step < 12 && !visit.isOver; step += 1) {
            expect(page.faults).toEqual([]);
            expect(page.clicks.map(({ value }) => visit.clicks()[Number(value)] ?? '').toSorted()).toEqual(
              [...new Set(visit.clicks())].toSorted(),
            );
            expect(page.text).toContain(`buy ${instruction}`);
            pages += 1;
            page =
              page.clicks.length === 0
                ? await act(send, page, { search: 'findme' })
                : await act(send, page, { click: rng.pick(page.clicks).value });
          }
          expect(page.faults).toEqual([]);
        },
      ),
      { seed: 20_260_101, numRuns: 120 },
    );
    expect(pages).toBeGreaterThan(800);
  });
});
