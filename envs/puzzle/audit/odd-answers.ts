import type { Rng } from '../../core/rng.ts';

const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0));

/** Texts that no puzzle may accept, made from the solution where that makes them hard to see through. */
export function hostileTexts(gold: string): Readonly<Record<string, string>> {
  return {
    'full-width characters': wide(gold),
    'zero-width space inside': `${gold.slice(0, 1)}\u200b${gold.slice(1)}`,
    'right-to-left mark': `\u202e${gold}`,
    'combining mark': `${gold}\u0301`,
    'unpaired surrogate': `${gold}\ud800`,
    'control character': `${gold}\u0000`,
    empty: '',
    'white space': ' \n\t ',
    prototype: '__proto__',
    constructor: 'constructor',
    code: 'process.exit(1)',
    'nested brackets': `${'('.repeat(2_000)}${')'.repeat(2_000)}`,
    'a huge number': '9'.repeat(4_000),
    infinity: '1e999',
    'a megabyte': 'a'.repeat(1_048_576),
    'the solution and a megabyte of blanks inside': `${gold.slice(0, 1)}${' '.repeat(1_048_576)}${gold.slice(1)}`,
  };
}

/** Changes of the text of a solution. Where solutions are unique, none of them may be accepted as another answer. */
export function changedTexts(gold: string, rng: Rng): Readonly<Record<string, string>> {
  const at = rng.int(gold.length);
  const pair = gold.length > 1 ? rng.int(gold.length - 1) : 0;
  return {
    'one character changed': gold.slice(0, at) + otherCharacter(gold[at] ?? '', rng) + gold.slice(at + 1),
    'two characters swapped':
      gold.slice(0, pair) + (gold[pair + 1] ?? '') + (gold[pair] ?? '') + gold.slice(pair + 2),
    'one character missing': gold.slice(0, at) + gold.slice(at + 1),
    'cut in half': gold.slice(0, Math.floor(gold.length / 2)),
    'given twice': `${gold}\n${gold}`,
    reversed: gold.split('').toReversed().join(''),
  };
}

/** Another character of the same kind. */
function otherCharacter(character: string, rng: Rng): string {
  const kinds = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '.#/\\+-*() \n'];
  const kind = kinds.find((characters) => characters.includes(character)) ?? kinds.join('');
  return rng.pick(kind.split('').filter((other) => other !== character));
}
