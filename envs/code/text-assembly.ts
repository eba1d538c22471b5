import type { Rng } from '../core/rng.ts';
import type { Assembly } from './assembly.ts';
import { spelled } from './spelled.ts';

/** A text with places, each written as its pieces between angle quotes, the right one first: `«a‖b»`. */
export interface TextWithPlaces {
  readonly text: string;
  readonly remark: string;
}

const placePattern = /«(.*?)»/g;

/** The text with the right piece in every place. */
export const rightText = ({ text }: TextWithPlaces): string =>
  text.replace(placePattern, (_, pieces: string) => pieces.split('‖')[0] ?? '');

/**
 * An assembly of some random places; the others are already right. Pieces are sorted, so that their order
 * reveals nothing.
 */
export function assembleText(source: TextWithPlaces, places: number, rng: Rng): Assembly {
  const all = [...source.text.matchAll(placePattern)].map(([, pieces = '']) => pieces.split('‖'));
  const open = rng
    .fork('places')
    .shuffle([...all.keys()])
    .slice(0, places)
    .toSorted((a, b) => a - b);
  const sorted = open.map((at) => (all[at] as readonly string[]).toSorted());
  return {
    pieces: sorted.map(({ length }) => length),
    start: sorted.map(({ length }, at) => rng.fork('start').fork(at).int(length)),
    right: sorted.map((pieces, at) => pieces.indexOf(all[open[at] as number]?.[0] as string)),
    says: (place, piece) => spelled(sorted[place]?.[piece] ?? ''),
    remark: source.remark,
    write: (choice) => {
      let at = -1;
      return source.text.replace(placePattern, () => {
        at += 1;
        const place = open.indexOf(at);
        const pieces = all[at] as readonly string[];
        return (place < 0 ? pieces[0] : sorted[place]?.[choice[place] as number]) ?? '';
      });
    },
  };
}
