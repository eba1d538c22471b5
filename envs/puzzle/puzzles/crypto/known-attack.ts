import { z } from 'zod';
import type { Rng } from '../../../core/rng.ts';
import { alphabet, inverseKey, shift, substitute, transpose, untranspose } from './cipher.ts';
import { defineCipher } from './define-cipher.ts';
import { drawWords } from './words.ts';

const capitals = z
  .string()
  .regex(/^[A-Z ]+$/)
  .max(600);
const stage = z.discriminatedUnion('kind', [
  /** The letter of the key at the place of each letter of the alphabet. */
  z.strictObject({ kind: z.literal('substitute'), key: z.string().regex(/^[A-Z]{26}$/) }),
  z.strictObject({ kind: z.literal('shift'), by: z.int().min(1).max(25) }),
  z.strictObject({ kind: z.literal('columns'), columns: z.int().min(2).max(9) }),
  z.strictObject({ kind: z.literal('reverse') }),
]);
type Stage = z.output<typeof stage>;

const reverse = (text: string): string => text.split('').toReversed().join('');

function apply(text: string, step: Stage): string {
  switch (step.kind) {
    case 'substitute':
      return substitute(text, step.key);
    case 'shift':
      return shift(text, step.by);
    case 'columns':
      return transpose(text, step.columns);
    case 'reverse':
      return reverse(text);
  }
}

function undo(text: string, step: Stage): string {
  switch (step.kind) {
    case 'substitute':
      return substitute(text, inverseKey(step.key));
    case 'shift':
      return shift(text, -step.by);
    case 'columns':
      return untranspose(text, step.columns);
    case 'reverse':
      return reverse(text);
  }
}

function describeStage(step: Stage): string {
  switch (step.kind) {
    case 'substitute':
      return `Replace each letter: ${alphabet} becomes ${step.key}.`;
    case 'shift':
      return `Move each letter on by ${step.by} places of the alphabet. A follows Z.`;
    case 'columns':
      return `Write the text, with its blanks, into rows of ${step.columns} characters. Read it column by column, from the left.`;
    case 'reverse':
      return 'Write the whole text backwards.';
  }
}

const drawKey = (rng: Rng): string => rng.shuffle(alphabet.split('')).join('');

function drawStage(rng: Rng, kind: Stage['kind']): Stage {
  switch (kind) {
    case 'substitute':
      return { kind, key: drawKey(rng) };
    case 'shift':
      return { kind, by: 1 + rng.int(25) };
    case 'columns':
      return { kind, columns: 2 + rng.int(6) };
    case 'reverse':
      return { kind };
  }
}

/** Known key: Enigmata's KKA. */
export const cryptoKnownKey = defineCipher({
  name: 'crypto-known-key',
  summary: 'Known key: decrypt a text whose encryption is described',
  rules:
    'A text of words was encrypted by the steps below, in this order. Blanks are never replaced. Undo the steps and find the text.',
  question: z.strictObject({ steps: z.array(stage).min(1), ciphertext: z.string().regex(/^[A-Z ]+$/) }),
  levels: [
    { words: 2, kinds: ['substitute'] },
    { words: 4, kinds: ['substitute'] },
    { words: 4, kinds: ['substitute', 'reverse'] },
    { words: 6, kinds: ['shift', 'columns', 'substitute'] },
    { words: 8, kinds: ['substitute', 'columns', 'shift', 'reverse'] },
  ],
  encrypt: (rng, plain, { kinds }) => {
    const steps = kinds.map((kind) => drawStage(rng, kind));
    const ciphertext = steps.reduce(apply, plain);
    // A blank at an end would be lost when the question is read.
    return ciphertext.trim() === ciphertext ? { steps, ciphertext } : undefined;
  },
  render: ({ steps, ciphertext }) =>
    [
      ...steps.map((step, index) => `${index + 1}. ${describeStage(step)}`),
      `Encrypted, between the bars: |${ciphertext}|`,
    ].join('\n'),
  decrypt: ({ steps, ciphertext }) => ({
    texts: [steps.reduceRight(undo, ciphertext)],
    tried: steps.length * ciphertext.length,
  }),
  matches: ({ steps, ciphertext }, plain) =>
    plain.length === ciphertext.length && steps.reduce(apply, plain) === ciphertext,
});

const known = z.strictObject({
  /** Texts with their encryption. Together they show every letter of the ciphertext. */
  pairs: z.array(z.strictObject({ plain: capitals, encrypted: capitals })).min(1),
  ciphertext: capitals,
});

/** What each letter stands for, by the pairs. */
function lettersOf({
  pairs,
}: {
  readonly pairs: readonly { readonly plain: string; readonly encrypted: string }[];
}): Map<string, string> {
  const letters = new Map<string, string>();
  for (const { plain, encrypted } of pairs)
    for (let at = 0; at < encrypted.length; at += 1) letters.set(encrypted[at] ?? '', plain[at] ?? '');
  return letters;
}

const translate = (text: string, letters: ReadonlyMap<string, string>): string => {
  let out = '';
  for (const letter of text) out += letter === ' ' ? ' ' : (letters.get(letter) ?? '?');
  return out;
};

/** Known plaintext: Enigmata's KPA. */
export const cryptoKnownPlaintext = defineCipher({
  name: 'crypto-known-plaintext',
  summary: 'Known plaintext: find a substitution from examples and decrypt another text',
  rules:
    'All texts were encrypted with the same key: every letter is replaced by one other letter, and different letters by different ones. Blanks did not change. The examples show what you need. Find the last text.',
  question: known,
  levels: [
    { words: 2, pairs: 5 },
    { words: 3, pairs: 7 },
    { words: 5, pairs: 8 },
    { words: 8, pairs: 10 },
  ],
  encrypt: (rng, plain, { pairs: count }) => {
    const key = drawKey(rng);
    const ciphertext = substitute(plain, key);
    const open = new Set(plain.replaceAll(' ', ''));
    const pairs: { plain: string; encrypted: string }[] = [];
    // Words that show letters which no word has shown yet; a few words that show nothing new do no harm.
    for (let draw = 0; draw < 300 && (open.size > 0 || pairs.length < count); draw += 1) {
      const [word = ''] = drawWords(rng, 1);
      const isNew = word.split('').some((letter) => open.has(letter));
      if (plain.includes(word) || (open.size > 0 && !isNew) || pairs.some((pair) => pair.plain === word))
        continue;
      for (const letter of word) open.delete(letter);
      pairs.push({ plain: word, encrypted: substitute(word, key) });
    }
    return open.size === 0 ? { pairs: rng.shuffle(pairs), ciphertext } : undefined;
  },
  render: ({ pairs, ciphertext }) =>
    [
      'Text and encryption:',
      ...pairs.map(({ plain, encrypted }) => `${plain} ${encrypted}`),
      `Encrypted: ${ciphertext}`,
    ].join('\n'),
  decrypt: (given) => ({
    texts: [translate(given.ciphertext, lettersOf(given))],
    tried: given.ciphertext.length,
  }),
  matches: (given, plain) => translate(given.ciphertext, lettersOf(given)) === plain,
});
