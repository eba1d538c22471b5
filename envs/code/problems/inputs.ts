import type { Rng } from '../../core/rng.ts';
import type { Value } from '../language/interpret.ts';

/** How a value is written in programs that read lines. */
export type Form = 'number' | 'truth' | 'text' | 'numbers' | 'texts' | 'rows' | 'pairs';

/** The possible values of a parameter. */
export interface Input {
  readonly form: Form;
  /** In words, for statements. */
  readonly says: string;
  /** Draws a random value. Some are extreme. */
  draw(rng: Rng): Value;
  /** The extreme values. */
  readonly edges: readonly Value[];
}

interface Span {
  readonly low: number;
  readonly high: number;
}

const between = (rng: Rng, { low, high }: Span): number => low + rng.int(high - low + 1);

export function number(low: number, high: number, near: readonly number[] = []): Input {
  const edges = [
    ...new Set([low, low + 1, high, ...near.flatMap((value) => [value - 1, value, value + 1])]),
  ].filter((value) => value >= low && value <= high);
  return {
    form: 'number',
    says: `a whole number from ${low} to ${high}`,
    edges,
    draw: (rng) => (rng.int(4) === 0 ? rng.pick(edges) : between(rng, { low, high })),
  };
}

/**
 * Lists of `least` to `most` numbers. `near`: numbers in the problem. They and their neighbours are drawn
 * more often.
 */
export function numbers(
  span: Span & { readonly least?: number; readonly most: number; readonly near?: readonly number[] },
): Input {
  const { low, high, least = 0, most, near = [] } = span;
  const special = [
    ...new Set([low, high, 0, 1, ...near.flatMap((value) => [value - 1, value, value + 1])]),
  ].filter((value) => value >= low && value <= high);
  const one = (rng: Rng): number =>
    special.length > 0 && rng.int(3) === 0 ? rng.pick(special) : between(rng, { low, high });
  const list = (rng: Rng): Value => {
    const length = between(rng, { low: least, high: most });
    const few = rng.int(3) === 0 ? Array.from({ length: 3 }, () => one(rng)) : undefined; // with many repeats
    return Array.from({ length }, () => (few === undefined ? one(rng) : rng.pick(few)));
  };
  const edges: Value[] = special.map((value) => Array.from({ length: Math.max(least, 1) }, () => value));
  if (least === 0) edges.unshift([]);
  return {
    form: 'numbers',
    says: `a list of ${least} to ${most} whole numbers from ${low} to ${high}`,
    edges,
    draw: list,
  };
}

/** Texts of `least` to `most` letters of the alphabet. */
export function text(
  alphabet: string,
  of: { readonly least?: number; readonly most: number; readonly says?: string },
): Input {
  const { least = 0, most, says = `of the characters ${JSON.stringify(alphabet)}` } = of;
  const draw = (rng: Rng): Value => {
    const letters =
      rng.int(3) === 0
        ? Array.from({ length: 2 }, () => alphabet[rng.int(alphabet.length)] as string)
        : alphabet.split('');
    return Array.from({ length: between(rng, { low: least, high: most }) }, () => rng.pick(letters)).join('');
  };
  const first = alphabet[0] as string;
  const last = alphabet.at(-1) as string;
  const edges = [
    ...(least === 0 ? [''] : []),
    first.repeat(Math.max(least, 1)),
    last.repeat(Math.max(least, 1)),
    first.repeat(Math.max(least, 3)),
  ].filter((each) => each.length <= most);
  return {
    form: 'text',
    says: `a text of ${least} to ${most} characters, ${says}`,
    edges: [...new Set(edges)],
    draw,
  };
}

/** Lists of words without blanks. */
export function texts(
  alphabet: string,
  of: { readonly least?: number; readonly most: number; readonly longest: number },
): Input {
  const { least = 0, most, longest } = of;
  const word = (rng: Rng): string =>
    Array.from(
      { length: between(rng, { low: 1, high: longest }) },
      () => alphabet[rng.int(alphabet.length)] as string,
    ).join('');
  const first = alphabet[0] as string;
  return {
    form: 'texts',
    says: `a list of ${least} to ${most} words of 1 to ${longest} characters of ${JSON.stringify(alphabet)}`,
    draw: (rng) => {
      const few = rng.int(2) === 0 ? Array.from({ length: 3 }, () => word(rng)) : undefined;
      return Array.from({ length: between(rng, { low: least, high: most }) }, () =>
        few === undefined ? word(rng) : rng.pick(few),
      );
    },
    edges: [...(least === 0 ? [[]] : []), [first], [first, first], [first.repeat(longest)]].filter(
      (each) => each.length >= least,
    ),
  };
}

/** Maps of equal rows of characters. */
export function rows(alphabet: string, of: { readonly most: number; readonly says: string }): Input {
  const make = (rng: Rng, height: number, width: number): Value => {
    const common = alphabet[rng.int(alphabet.length)] as string;
    return Array.from({ length: height }, () =>
      Array.from({ length: width }, () =>
        rng.int(3) === 0 ? common : (alphabet[rng.int(alphabet.length)] as string),
      ).join(''),
    );
  };
  return {
    form: 'rows',
    says: `a grid of 1 to ${of.most} rows of 1 to ${of.most} characters, ${of.says}`,
    draw: (rng) =>
      make(rng, between(rng, { low: 1, high: of.most }), between(rng, { low: 1, high: of.most })),
    edges: alphabet.split('').map((character) => [character]),
  };
}

/** Lists of pairs of numbers, such as the edges of a graph. */
export function pairs(span: Span & { readonly most: number; readonly says: string }): Input {
  const { low, high, most } = span;
  return {
    form: 'pairs',
    says: `a list of up to ${most} pairs of numbers from ${low} to ${high}, ${span.says}`,
    draw: (rng) =>
      Array.from({ length: between(rng, { low: 0, high: most }) }, () => [
        between(rng, span),
        between(rng, span),
      ]),
    edges: [[], [[low, high]]],
  };
}

/** Any input with its own drawing function, where values depend on each other. */
export function drawn(
  of: Pick<Input, 'form' | 'says' | 'draw'> & { readonly edges?: readonly Value[] },
): Input {
  return { edges: [], ...of };
}

/**
 * Drawn as `input` and stated as `reach`. Speed tests have larger values than random draws, and no statement
 * claims less than its tests use.
 */
export const reaching = (reach: Input, input: Input): Input => ({ ...input, says: reach.says });
