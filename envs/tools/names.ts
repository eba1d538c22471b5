import type { Rng } from '../core/rng.ts';

const consonants = 'bcdfghjklmnpqrstvwxz'.split('');
const vowels = 'aeiou'.split('');

/** Draws ids that no other draw of this drawer has: a prefix and six letters, such as `ord_kabomi`. */
export class IdDrawer {
  readonly #rng: Rng;
  readonly #used = new Set<string>();

  constructor(rng: Rng) {
    this.#rng = rng;
  }

  draw(prefix: string): string {
    for (;;) {
      const id = `${prefix}_${pronounceable(this.#rng)}`;
      if (this.#used.has(id)) continue;
      this.#used.add(id);
      return id;
    }
  }
}

/** An id of the same form that {@link IdDrawer} never draws, for a user who errs. */
export const wrongId = (rng: Rng, prefix: string): string => `${prefix}_${pronounceable(rng)}q`;

const pronounceable = (rng: Rng): string =>
  Array.from({ length: 3 }, () => `${rng.pick(consonants)}${rng.pick(vowels)}`).join('');

export const idPattern = (prefix: string): RegExp => new RegExp(`^${prefix}_[a-z]{6,7}$`);
export const emailPattern = /^[a-z]+\.[a-z]+@[a-z]+\.example$/;

export const firstNames =
  'Ada Ben Cleo Dan Eve Finn Gita Hugo Iris Jonas Kira Leo Mina Noah Olga Petra Quinn Rosa Sven Tara Uma Viktor Wanda Xenia Yusuf Zoe'.split(
    ' ',
  );
export const lastNames =
  'Abbot Baker Carver Dyer Eaton Fisher Glover Hunter Ingram Joiner Keeler Lorimer Mason Nailer Osler Potter Quarrier Roper Sawyer Tanner Usher Vintner Weaver Yeoman'.split(
    ' ',
  );
export const cities =
  'Aarhus Bergen Cork Dresden Evora Faro Ghent Hanover Izmir Jena Krakow Lyon Malmo Nantes Oslo Porto Riga Siena Turku Utrecht Vigo Wroclaw'.split(
    ' ',
  );
export const streets = 'Oak Elm Mill Park Lake Hill Church Garden Bridge Harbour'.split(' ');

/** A street address, such as `Elm Street, Riga`. */
export const drawAddress = (rng: Rng): string => `${rng.pick(streets)} Street, ${rng.pick(cities)}`;

/** The email address of a person. No two numbers give the same one. */
export const drawMail = (first: string, last: string, index: number): string =>
  `${first}.${last}${lettersOf(index)}@mail.example`.toLowerCase();

const lettersOf = (index: number): string =>
  index
    .toString(26)
    .split('')
    .map((digit) => String.fromCodePoint(97 + Number.parseInt(digit, 26)))
    .join('');

/** A name of one word, such as `Kabomi`, for products and firms. */
export const drawName = (rng: Rng): string => {
  const name = pronounceable(rng);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
};

/** Different names of one word. */
export function drawNames(rng: Rng, count: number): readonly string[] {
  const names = new Set<string>();
  while (names.size < count) names.add(drawName(rng));
  return [...names];
}
