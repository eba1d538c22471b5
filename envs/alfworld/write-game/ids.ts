import { UsageError } from '../../core/errors.ts';
import type { PlainGame } from './plain-game.ts';

interface Noun {
  readonly kind: string;
  readonly number: number;
}

/**
 * Ids from which ALFWorld's naming produces the wanted names. Within a kind, ids in string order get
 * descending numbers, see `nameObjects`. Where the text of a game lists nouns by id, this lists them by kind,
 * the highest number first.
 */
export interface Ids {
  readonly places: readonly string[]; // (places)
  readonly objects: readonly string[]; // (objects)
  /** The location of each receptacle. Places are numbered in the order of the opening text. */
  readonly locations: readonly string[]; // (places)
  readonly middle: string;
}

export function idsOf({ places, objects }: Pick<PlainGame, 'places' | 'objects'>): Ids {
  const listed = places.toSorted((a, b) =>
    a.kind === b.kind ? b.number - a.number : a.kind < b.kind ? -1 : 1,
  );
  const width = String(places.length).length;
  return {
    places: idsOfNouns(places),
    objects: idsOfNouns(objects),
    locations: places.map((place) => `loc_bar_${padded(places.length - listed.indexOf(place), width)}`),
    middle: `loc_bar_${padded(0, width)}`, // gets the number after the last
  };
}

function idsOfNouns(nouns: readonly Noun[]): readonly string[] {
  const numbers = new Map<string, number[]>();
  for (const { kind, number } of nouns) numbers.set(kind, [...(numbers.get(kind) ?? []), number]);
  for (const [kind, list] of numbers) {
    const isWhole = list.toSorted((a, b) => a - b).every((number, index) => number === index + 1);
    if (!isWhole)
      throw new UsageError({
        where: `the nouns "${kind}" of a game to be written`,
        what: `their numbers are ${list.join(', ')}.`,
        fix: 'Number them from 1 without gaps.',
      });
  }
  return nouns.map(({ kind, number }) => {
    const count = numbers.get(kind)?.length ?? 0;
    const rank = padded(count - number, String(count).length);
    const base = kind.endsWith('basin') ? kind.slice(0, -'basin'.length) : kind;
    return base === kind ? `${kind}_bar_${rank}` : `${base}_bar_${rank}_bar_${kind}`;
  });
}

const padded = (value: number, width: number): string => String(value).padStart(width, '0');
