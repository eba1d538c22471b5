import { z } from 'zod';
import { alphabet, shift, vigenere } from './cipher.ts';
import { defineCipher } from './define-cipher.ts';

const capitals = z
  .string()
  .regex(/^[A-Z ]+$/)
  .max(400);
const withCrib = z.strictObject({
  ciphertext: capitals,
  /** A word of the text. It makes the key certain. */
  crib: capitals,
});

/** Shifts whose text contains the word. */
function shiftsOf({ ciphertext, crib }: z.output<typeof withCrib>): number[] {
  const shifts: number[] = [];
  for (let by = 1; by < 26; by += 1) {
    const hidden = shift(crib, by);
    if (` ${ciphertext} `.includes(` ${hidden} `)) shifts.push(by);
  }
  return shifts;
}

export const caesar = defineCipher({
  name: 'crypto-caesar',
  summary: "Caesar's cipher without its key",
  rules:
    'The text was encrypted by moving every letter on by the same number of places of the alphabet, from 1 to 25; A follows Z. Blanks did not change. One word of the text is known. Find the text.',
  question: withCrib,
  levels: [{ words: 2 }, { words: 4 }, { words: 8 }, { words: 16 }],
  keys: 25,
  encrypt: (rng, plain) => {
    const given = { ciphertext: shift(plain, 1 + rng.int(25)), crib: rng.pick(plain.split(' ')) };
    return shiftsOf(given).length === 1 ? given : undefined;
  },
  render: ({ ciphertext, crib }) => `Encrypted: ${ciphertext}\nA word of the text: ${crib}`,
  decrypt: (given) => ({
    texts: shiftsOf(given).map((by) => shift(given.ciphertext, -by)),
    tried: given.ciphertext.length,
  }),
  matches: (given, plain) => shiftsOf(given).some((by) => shift(plain, by) === given.ciphertext),
});

const vigenereQuestion = z.strictObject({
  ciphertext: capitals,
  /** The key, or the first words of the text and the length of the key, which is at most their number of letters. */
  known: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('key'), key: z.string().regex(/^[A-Z]{1,12}$/) }),
    z.strictObject({ kind: z.literal('start'), start: capitals, length: z.int().min(1).max(12) }),
  ]),
});

/** The key that is given, or that follows from the start of the text. */
function keyOf({ ciphertext, known }: z.output<typeof vigenereQuestion>): string {
  if (known.kind === 'key') return known.key;
  const letters = (text: string): string => text.replaceAll(' ', '').slice(0, known.length);
  return vigenere(letters(ciphertext), letters(known.start), -1);
}

export const vigenereCipher = defineCipher({
  name: 'crypto-vigenere',
  summary: "Vigenère's cipher with its key or with the start of the text",
  rules:
    'The text was encrypted with a key of letters. Each letter of the key is a number: A is 0, B is 1, and so on to Z, 25. The first letter of the text moved on by the first number, the second by the second, and so on; after its last letter the key starts again. A follows Z. Blanks did not change and use no letter of the key. Find the text.',
  question: vigenereQuestion,
  levels: [
    { words: 2, length: 2, start: 0 },
    { words: 5, length: 4, start: 0 },
    { words: 8, length: 4, start: 1 },
    { words: 14, length: 8, start: 2 },
  ],
  encrypt: (rng, plain, { length, start }) => {
    const key = Array.from({ length }, () => rng.pick(alphabet.split(''))).join('');
    const ciphertext = vigenere(plain, key, 1);
    if (start === 0) return { ciphertext, known: { kind: 'key' as const, key } };
    const begin = plain.split(' ').slice(0, start).join(' ');
    if (begin.replaceAll(' ', '').length < length) return undefined;
    return { ciphertext, known: { kind: 'start' as const, start: begin, length } };
  },
  render: ({ ciphertext, known }) =>
    `Encrypted: ${ciphertext}\n${
      known.kind === 'key'
        ? `Key: ${known.key}`
        : `The text starts with: ${known.start}\nLetters of the key: ${known.length}`
    }`,
  decrypt: (given) => ({
    texts: [vigenere(given.ciphertext, keyOf(given), -1)],
    tried: given.ciphertext.length,
  }),
  matches: (given, plain) => vigenere(plain, keyOf(given), 1) === given.ciphertext,
});
