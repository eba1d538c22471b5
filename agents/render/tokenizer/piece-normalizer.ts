import { z } from 'zod';
import type { SectionStart } from './section-start.ts';
import { withoutLeadingSpace, withoutTrailingSpace } from './added-tokens.ts';

/** Normalises a run of text between added tokens. */
export interface PieceNormalizer {
  /** Whether it writes a space before every section. */
  readonly prepends: boolean;
  apply(text: string, start: SectionStart): string;
}

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
/** A text to look for. The Rust library also takes expressions, in the syntax of Oniguruma. */
export const patternSchema = z.strictObject(
  { String: z.string().min(1) },
  'only a fixed text can be replaced or split at, not a regular expression',
);
/** A schema of the parts of tokenizer.json, by their `type`. */
export const byType = <const Options extends Parameters<typeof z.discriminatedUnion>[1]>(
  part: string,
  options: Options,
) =>
  z.discriminatedUnion('type', options, {
    error: ({ input }) => `${part}: the type ${JSON.stringify(typeOf(input))} is not supported`,
  });

const typeOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'type' in input ? input.type : null;

const partSchema = byType('normalizer', [
  z.object({ type: z.literal('Sequence'), normalizers: z.array(z.unknown()) }),
  z.object({ type: z.literal('Prepend'), prepend: z.string() }),
  z.object({ type: z.literal('Replace'), pattern: patternSchema, content: z.string() }),
  z.object({ type: z.literal(forms) }),
  z.object({
    type: z.literal('Strip'),
    strip_left: z.boolean().default(true),
    strip_right: z.boolean().default(true),
  }),
  z.object({ type: z.literal('Lowercase') }),
]);
type Part = Exclude<z.output<typeof partSchema>, { readonly type: 'Sequence' }>;

/**
 * Reads `normalizer` of tokenizer.json: Sequence, Prepend, Replace, the Unicode normal forms, Strip and Lowercase.
 * @throws z.ZodError for others
 */
export function readNormalizer(given: unknown): PieceNormalizer {
  const parts = given === null || given === undefined ? [] : partsOf(given);
  return {
    prepends: parts.some(({ type }) => type === 'Prepend'),
    apply: (text, start) => parts.reduce((normal, part) => normalised(normal, part, start), text),
  };
}

function partsOf(given: unknown): Part[] {
  const part = partSchema.parse(given);
  return part.type === 'Sequence' ? part.normalizers.flatMap(partsOf) : [part];
}

function normalised(text: string, part: Part, start: SectionStart): string {
  const isAtStart = start === 'text' || start === 'section';
  switch (part.type) {
    case 'Prepend':
      return isAtStart && text !== '' ? part.prepend + text : text;
    case 'Replace':
      return text.replaceAll(part.pattern.String, () => part.content);
    case 'Strip': {
      const left = part.strip_left && isAtStart ? withoutLeadingSpace(text) : text;
      return part.strip_right ? withoutTrailingSpace(left) : left;
    }
    case 'Lowercase':
      // by character, as the Rust library: the last sigma of a word is no exception
      return Array.from(text, (character) => character.toLowerCase()).join('');
    default:
      return text.normalize(part.type);
  }
}
