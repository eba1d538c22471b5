import { z } from 'zod';

const byteLevelSchema = z.looseObject({
  type: z.literal('ByteLevel'),
  add_prefix_space: z.literal(false),
  use_regex: z.literal(true).default(true),
});
const sequenceSchema = z.looseObject({ type: z.literal('Sequence'), pretokenizers: z.array(z.unknown()) });

/**
 * GPT-2's split, given by name, uses JavaScript's `\s`, which has U+FEFF and lacks U+0085. Given as this
 * expression, it uses Unicode's.
 */
export function withUnicodeSpaces(given: unknown): unknown {
  const sequence = sequenceSchema.safeParse(given);
  if (sequence.success)
    return { ...sequence.data, pretokenizers: sequence.data.pretokenizers.map(withUnicodeSpaces) };
  const byteLevel = byteLevelSchema.safeParse(given);
  if (!byteLevel.success) return given;
  const pattern = {
    Regex: "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  };
  const split = { type: 'Split', pattern, behavior: 'Isolated', invert: false };
  return { type: 'Sequence', pretokenizers: [split, { ...byteLevel.data, use_regex: false }] };
}
