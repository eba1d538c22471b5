import type { Json } from '../../core/json.ts';
import { numberIn } from '../problems/exact-json.ts';

/**
 * The tolerance of non-integers: absolute, or relative to the expected number, as in contests. APPS uses 1e-5
 * relative, or 1e-8.
 */
const tolerance = 1e-6;

const isClose = (expected: number, got: number): boolean =>
  expected === got || Math.abs(expected - got) <= tolerance * Math.max(1, Math.abs(expected));

/**
 * Whether a value equals the expected plain data. An expected integer must match exactly; `2.0` matches `2`,
 * as with Python's `==` (HumanEval, APPS). An expected number with a decimal point matches a close number. A
 * boolean is no number.
 */
export function isSameValue(expected: Json, got: Json): boolean {
  const wanted = numberIn(expected);
  if (wanted !== undefined) {
    const given = numberIn(got)?.value;
    if (given === undefined) return false;
    return wanted.isFloat
      ? isClose(Number(wanted.value), Number(given))
      : (typeof given === 'bigint' || Number.isInteger(given)) && BigInt(wanted.value) === BigInt(given);
  }
  if (Array.isArray(expected)) {
    const items = expected as readonly Json[];
    return (
      Array.isArray(got) &&
      got.length === items.length &&
      items.every((item, at) => isSameValue(item, (got as readonly Json[])[at] as Json))
    );
  }
  if (typeof expected !== 'object' || expected === null) return expected === got;
  if (typeof got !== 'object' || got === null || Array.isArray(got)) return false;
  const entries = Object.entries(expected) as [string, Json][];
  const other = got as Readonly<Record<string, Json>>;
  return (
    entries.length === Object.keys(other).length &&
    entries.every(([key, value]) => Object.hasOwn(other, key) && isSameValue(value, other[key] as Json))
  );
}

const tokensOf = (text: string): readonly string[] => text.split(/\s+/).filter((token) => token !== '');
const decimal = /^[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?$/;

/**
 * Whether an output is one of the right answers, token by token. A number with a decimal point matches a
 * close one. An integer may be printed as `2.0`, as in APPS, and must match exactly.
 */
export function isSameOutput(expected: readonly string[], got: string): boolean {
  const printed = tokensOf(got);
  return expected.some((each) => {
    const wanted = tokensOf(each);
    return (
      wanted.length === printed.length &&
      wanted.every((token, at) => isSameToken(token, printed[at] as string))
    );
  });
}

function isSameToken(wanted: string, got: string): boolean {
  if (wanted === got) return true;
  if (/^-?\d+$/.test(wanted)) return wholeOf(got) === wholeOf(wanted);
  if (!/[.eE]/.test(wanted) || !decimal.test(wanted) || !decimal.test(got)) return false;
  return isClose(Number(wanted), Number(got));
}

/** The canonical digits of an integer: without zeros after a point, and with one form of zero. */
const wholeOf = (text: string): string => text.replace(/\.0*$/, '').replace(/^-(0+)$/, '$1');
