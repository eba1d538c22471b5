import { wordBreakData } from './word-break-data.ts';

/**
 * The alphabet of the word rules. Every set of properties that some code point has is one symbol. Symbol 0
 * stands for code points without properties, such as a space.
 */
export interface WordSymbols {
  /** Symbols are the integers below this one. */
  readonly count: number;
  /** The symbol of every code point. */
  readonly ofCodePoint: Uint8Array; // (0x110000)
  /** The symbols of the code points that have a property, such as `ALetter`. */
  readonly having: (property: string) => readonly number[];
}

/** Unpacks the table of word break properties. */
export function readWordSymbols(): WordSymbols {
  const ofCodePoint = new Uint8Array(0x11_0000);
  for (const [index, [, ranges]] of wordBreakData.entries()) {
    let end = 0;
    for (const range of ranges.split(' ')) {
      const [gap = '', length = '1'] = range.split('+');
      const start = end + Number.parseInt(gap, 36);
      end = start + Number.parseInt(length, 36);
      ofCodePoint.fill(index + 1, start, end);
    }
  }
  return {
    count: wordBreakData.length + 1,
    ofCodePoint,
    having: (property) =>
      wordBreakData.flatMap(([properties], index) =>
        properties.split(' ').includes(property) ? [index + 1] : [],
      ),
  };
}
