import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asinOf } from '../../../../envs/shop/generate/asin.ts';
import { Draw, drawKey } from '../../../../envs/shop/generate/draw.ts';
import { brandName, modelName } from '../../../../envs/shop/generate/names.ts';
import { articleFor } from '../../../../envs/shop/generate/word.ts';

const key = drawKey(7);

describe('Draw', () => {
  it('depends on seed, purpose and number only, whatever was drawn before', () => {
    const draw = new Draw(key);
    const row = (): number[] => Array.from({ length: 6 }, () => draw.below(1000));
    const first = draw.start('product', 12) && row();
    expect(first).toEqual([553, 935, 185, 157, 440, 4]);
    row();
    expect(draw.start('product', 12) && row()).toEqual(first);
    for (const other of [
      draw.start('line', 12),
      draw.start('product', 13),
      new Draw(drawKey(8)).start('product', 12),
    ]) {
      expect(Array.from({ length: 6 }, () => other.below(1000))).not.toEqual(first);
    }
  });

  it('draws evenly, even the first draws of neighbouring streams', () => {
    const draw = new Draw(key);
    const counts = new Uint32Array(20);
    for (let number = 0; number < 40_000; number += 1)
      (counts[draw.start('product', number).below(20)] as number) += 1;
    const expected = 2_000;
    const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquared).toBeLessThan(43.8); // 19 degrees of freedom, 0.1 %
  });

  it('draws within its bound', () => {
    fc.assert(
      fc.property(fc.nat(4_000_000), fc.integer({ min: 1, max: 1 << 21 }), (number, bound) => {
        const draw = new Draw(key).start('goal', number);
        for (const drawn of [draw.below(bound), draw.skewed(bound)])
          expect(Number.isInteger(drawn) && drawn >= 0 && drawn < bound).toBe(true);
      }),
    );
  });
});

describe('generated names', () => {
  it('asinOf gives different numbers different ids of ten characters', () => {
    const ids = new Set<string>();
    for (let number = 0; number < 200_000; number += 1) ids.add(asinOf(key, number));
    expect(ids.size).toBe(200_000);
    for (const id of ids) expect(id).toMatch(/^B0[0-9A-HJKMNP-TV-Z]{8}$/);
    fc.assert(
      fc.property(
        fc.nat(2 ** 31),
        fc.nat(2 ** 31),
        (a, b) => (asinOf(key, a) === asinOf(key, b)) === (a === b),
      ),
    );
    expect(asinOf(drawKey(8), 1)).not.toBe(asinOf(key, 1));
  });

  it('brandName gives different brands different names, none of a known brand', () => {
    const names = new Set(Array.from({ length: 48_000 }, (_, number) => brandName(number).toLowerCase()));
    expect(names.size).toBe(48_000);
    const known =
      `toyota canon nikon sony samsung apple nike adidas puma reebok levis gucci prada nestle kellogg lindt olay dove nivea loreal maybelline
      revlon dior chanel rolex casio seiko philips braun bosch panasonic toshiba hitachi lenovo dell asus acer huawei xiaomi motorola nokia logitech garmin
      ikea ashley wayfair zinus casper kirkland lavazza folgers lipton twinings oreo ritz cheetos pringles barilla heinz colgate crest oral sensodyne
      gillette schick pantene garnier neutrogena cetaphil aveeno skechers clarks crocs timberland columbia carhartt wrangler calvin tommy fila asics
      belkin anker otterbox spigen jbl bose sennheiser beats roku vizio hisense fujifilm olympus kodak leica bushnell vortex celestron`.split(
        /\s+/,
      );
    expect(known.filter((name) => names.has(name))).toEqual([]);
  });

  it('modelName gives letters and digits', () => {
    const draw = new Draw(key);
    for (let number = 0; number < 500; number += 1)
      expect(modelName(draw.start('product', number))).toMatch(/^[B-Z]{1,2}-?\d{3,4}[B-Z]?$/);
  });

  it('articleFor chooses the article by sound', () => {
    expect(
      [
        'hdmi cable',
        'eco friendly rug',
        'usb charger',
        'unsweetened tea',
        'universal remote',
        'wig',
        'spf 30 lotion',
        '18 piece set',
        '8k cable',
      ].map((text) => articleFor(text)),
    ).toEqual(['an', 'an', 'a', 'an', 'a', 'a', 'an', 'a', 'an']);
  });
});
