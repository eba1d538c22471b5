import { z } from 'zod';

const byteLevelSchema = z.looseObject({
  type: z.literal('ByteLevel'),
  add_prefix_space: z.literal(false),
  use_regex: z.literal(true).default(true),
});
const sequenceSchema = z.looseObject({ type: z.literal('Sequence'), pretokenizers: z.array(z.unknown()) });

const digitsSchema = z.looseObject({
  type: z.literal('Digits'),
  individual_digits: z.boolean().default(false),
});

/**
 * The rules of a tokenizer that split a text, with those rewritten that the library does with JavaScript's classes of characters. GPT-2's split
 * by its own name uses JavaScript's `\s`, which has U+FEFF and lacks U+0085, and `Digits` knows only `0` to `9`. As splits by an expression both
 * use Unicode's classes: `Digits` splits at every number (`½`, `²`, `Ⅷ`, `٣`), as the Rust library does.
 */
export function withUnicodeSplits(given: unknown): unknown {
  const sequence = sequenceSchema.safeParse(given);
  if (sequence.success)
    return { ...sequence.data, pretokenizers: sequence.data.pretokenizers.map(withUnicodeSplits) };
  const digits = digitsSchema.safeParse(given);
  if (digits.success) return splitAt(digits.data.individual_digits ? '\\p{N}' : '\\p{N}+');
  const byteLevel = byteLevelSchema.safeParse(given);
  if (!byteLevel.success) return given;
  const split = splitAt("'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+");
  return { type: 'Sequence', pretokenizers: [split, { ...byteLevel.data, use_regex: false }] };
}

const splitAt = (regex: string): object => ({
  type: 'Split',
  pattern: { Regex: regex },
  behavior: 'Isolated',
  invert: false,
});
