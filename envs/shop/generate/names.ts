import type { Draw } from './draw.ts';
import { listed } from './option-kind.ts';

const first = listed(
  `bel, bri, cal, cor, dra, dun, el, fen, fio, gar, gwen, hal, hes, ij, jor, kel, kir, lan, lu, mar, mel, nor, nyl, om, or, pel, quin, ril, ros, sab,
  sol, tam, tor, ul, val, ves, wil, yar, zan, zo`,
);
const middle = listed(
  'ba, bo, da, di, do, fa, ga, ka, ki, la, lo, ma, mi, mo, na, ne, no, pa, ra, re, ri, ro, sa, ta, ti, to, va, ve, vo, za',
);
const last = listed(
  `beck, berg, cott, dale, dell, dra, dyn, fair, ford, gren, hart, ivo, kin, lane, lar, lin, lund, mere, mont, nel, nova, quist, rex, ric, rin, ron, sen,
  sha, stel, ster, tek, tham, thor, ton, vane, vell, vik, ward, wick, zen`,
);

/** The number of brands of a department. A few of them make most of its products. */
export const brandsPerDepartment = 9_600;

/**
 * The name of a brand by its number, from 0 below 48,000. Different numbers have different names. It is
 * composed of syllables. A match with the name of a real company is coincidental.
 */
export function brandName(number: number): string {
  // adjacent ranks sound different; the factor has no common divisor with 48,000
  const scattered = (number * 20_639 + 9_973) % 48_000;
  const end = last[Math.floor(scattered / 40) % 40] as string;
  const syllables = `${first[scattered % 40]}${middle[Math.floor(scattered / 1600)]}${end}`;
  const name = syllables.charAt(0).toUpperCase() + syllables.slice(1);
  return number % 9 === 4 ? name.toUpperCase() : name;
}

/** A name for a series, such as `Lomere`. There are fewer than brands, and many brands share them. */
export function seriesName(draw: Draw): string {
  const name = `${draw.pick(middle)}${draw.pick(last)}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

const consonants = 'BCDFGHKLMNPRSTVWXZ';

/** A model number, such as `TX-4180`. */
export function modelName(draw: Draw): string {
  const letters = `${consonants[draw.below(18)]}${draw.chance(70) ? consonants[draw.below(18)] : ''}`;
  const digits = draw.chance(50) ? 10 * (10 + draw.below(90)) : 1000 + draw.below(9000);
  return `${letters}${draw.chance(50) ? '-' : ''}${digits}${draw.chance(25) ? consonants[draw.below(18)] : ''}`;
}
