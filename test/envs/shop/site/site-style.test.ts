import { describe, expect, it } from 'vitest';
import { siteStyle } from '../../../../envs/shop/site/site-style.ts';

/** The colours of a theme by their names. */
function coloursOf(block: string): ReadonlyMap<string, string> {
  return new Map(
    [...block.matchAll(/--([a-z-]+): (#[\da-f]{3,6})/g)].map(([, name = '', colour = '']) => [name, colour]),
  );
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.slice(1).replaceAll(/./g, '$&$&') : colour.slice(1);
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const [light = '', dark = ''] = siteStyle.match(/:root \{[^}]*\}/g) ?? [];

describe.each([
  ['light', coloursOf(light)],
  ['dark', coloursOf(dark)],
])('the colours of the %s theme', (_theme, colours) => {
  const of = (name: string): string => colours.get(name) ?? 'none';

  it.each([
    ...['paper', 'ground', 'tint', 'warn'].map((ground) => ['ink', ground] as const),
    ...['paper', 'ground'].flatMap(
      (ground) =>
        [
          ['quiet', ground],
          ['accent', ground],
        ] as const,
    ),
    ['on-accent', 'accent'] as const,
  ])('make %s readable on %s', (ink, ground) => {
    expect(contrast(of(ink), of(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each([
    ['rim', 'paper'],
    ['accent', 'paper'],
    ['accent', 'ground'],
    ['warn-edge', 'ground'],
    ['rim', 'ground'],
  ])('make the edge %s visible on %s', (edge, ground) => {
    expect(contrast(of(edge), of(ground))).toBeGreaterThanOrEqual(3);
  });
});

it('the contrast of the test measures as WCAG does', () => {
  expect(contrast('#000', '#fff')).toBeCloseTo(21, 6);
  expect(contrast('#777777', '#fff')).toBeCloseTo(4.48, 2);
});
