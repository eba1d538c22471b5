import { z } from 'zod';
import { byType, patternSchema } from './piece-normalizer.ts';
import type { SectionStart } from './section-start.ts';

/** Splits normalised text into the words that are merged separately. */
export interface PieceSplitter {
  /** Which runs of text get a space before them. */
  readonly prefix: 'always' | 'first' | 'never';
  split(text: string, start: SectionStart): readonly string[];
}

const character = z.string().refine((text) => Array.from(text).length === 1, 'it must be one character');
const metaspaceSchema = z
  .object({
    type: z.literal('Metaspace'),
    replacement: character.default('▁'),
    prepend_scheme: z.enum(['always', 'first', 'never']).optional(),
    /** Of older files. */
    add_prefix_space: z.boolean().optional(),
    split: z.boolean().default(true),
  })
  .refine(
    ({ prepend_scheme: scheme = 'never', add_prefix_space: adds = true }) => adds || scheme === 'never',
    'add_prefix_space is false, and prepend_scheme adds a space',
  )
  .transform(({ prepend_scheme: scheme, add_prefix_space: adds = true, ...rest }) => ({
    ...rest,
    scheme: scheme ?? (adds ? ('always' as const) : ('never' as const)),
  }));
const partSchema = byType('pre_tokenizer', [
  z.object({ type: z.literal('Sequence'), pretokenizers: z.array(z.unknown()) }),
  metaspaceSchema,
  z.object({
    type: z.literal('Split'),
    pattern: patternSchema,
    behavior: z.enum(['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous']),
    invert: z.literal(false).default(false),
  }),
]);
type Part = Exclude<z.output<typeof partSchema>, { readonly type: 'Sequence' }>;
type Behavior = Extract<Part, { readonly type: 'Split' }>['behavior'];

/** Metaspace of a pre-tokenizer or decoder. */
export { metaspaceSchema };

/**
 * Reads `pre_tokenizer` of tokenizer.json: Sequence, Metaspace, and Split at a fixed text.
 * @throws z.ZodError for others
 */
export function readSplitter(given: unknown): PieceSplitter {
  const parts = given === null || given === undefined ? [] : partsOf(given);
  const schemes = parts.flatMap((part) => (part.type === 'Metaspace' ? [part.scheme] : []));
  return {
    prefix: schemes.includes('always') ? 'always' : schemes.includes('first') ? 'first' : 'never',
    split: (text, start) =>
      parts.reduce<readonly string[]>(
        (words, part) =>
          words
            .flatMap((word, place) => splitBy(word, part, place === 0 ? start : 'piece'))
            .filter((word) => word !== ''),
        [text],
      ),
  };
}

function partsOf(given: unknown): Part[] {
  const part = partSchema.parse(given);
  return part.type === 'Sequence' ? part.pretokenizers.flatMap(partsOf) : [part];
}

function splitBy(word: string, part: Part, start: SectionStart): readonly string[] {
  if (part.type === 'Split') return splitAt(word, part.pattern.String, part.behavior);
  const { replacement, scheme, split } = part;
  const marked = word.replaceAll(' ', () => replacement);
  const adds =
    !marked.startsWith(replacement) &&
    ((scheme === 'always' && start !== 'inside') || (scheme === 'first' && start === 'text'));
  const whole = adds ? replacement + marked : marked;
  return split ? splitAt(whole, replacement, 'MergedWithNext') : [whole];
}

/** Splits at every occurrence of a text. Of neighbouring occurrences, one alone is merged with what follows or precedes. */
function splitAt(text: string, delimiter: string, behavior: Behavior): readonly string[] {
  const between = text.split(delimiter);
  const last = between.length - 1;
  if (last === 0) return between;
  switch (behavior) {
    case 'Removed':
      return between;
    case 'MergedWithNext':
      return [between[0] as string, ...between.slice(1).map((part) => delimiter + part)];
    case 'MergedWithPrevious':
      return between.map((part, place) => (place === last ? part : part + delimiter));
    default: {
      const parts = between.flatMap((part, place) => (place === last ? [part] : [part, delimiter]));
      return behavior === 'Isolated' ? parts : joinRuns(parts, delimiter);
    }
  }
}

function joinRuns(parts: readonly string[], delimiter: string): readonly string[] {
  const runs: string[] = [];
  let isRun = false;
  for (const part of parts.filter((text) => text !== '')) {
    if (part === delimiter && isRun) runs.push(`${runs.pop() ?? ''}${part}`);
    else runs.push(part);
    isRun = part === delimiter;
  }
  return runs;
}
