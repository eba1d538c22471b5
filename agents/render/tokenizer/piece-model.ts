import { z } from 'zod';
import { MergeTable } from './merge-table.ts';

/** `model` of tokenizer.json, after the vocabulary and the merges were validated. */
export interface PieceModelParts {
  readonly options: unknown;
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly merges: readonly (readonly [string, string])[];
  /** Texts that no plain text becomes, even where the vocabulary has them. */
  readonly reserved: ReadonlySet<string>;
}

/** Encodes a normalised word. */
export type PieceModel = (word: string) => readonly number[];

const absent = z.literal(['', null], 'it is not supported').optional();
const optionsSchema = z.object({
  unk_token: z.string().nullable().default(null),
  fuse_unk: z.boolean().nullable().default(false),
  byte_fallback: z.boolean().nullable().default(false),
  ignore_merges: z.boolean().nullable().default(false),
  continuing_subword_prefix: absent,
  end_of_word_suffix: absent,
});

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
/** The text of the token for a byte. */
export const byteTokenText = (byte: number): string =>
  `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;

/**
 * Reads a BPE model over characters. A character without a token becomes the tokens of its bytes, or the unknown token.
 * @throws z.ZodError for an unsupported option
 * @throws Error where the model has no token for some texts
 */
export function readPieceModel({ options, vocabulary, merges, reserved }: PieceModelParts): PieceModel {
  const { unk_token: unknownText, ...read } = optionsSchema.parse(options);
  const unknown = unknownText === null ? undefined : vocabulary.get(unknownText);
  const byteIds = bytes.map((byte) => vocabulary.get(byteTokenText(byte)));
  const falls = read.byte_fallback ?? false;
  if (unknown === undefined && !(falls && byteIds.every((id) => id !== undefined)))
    throw new Error('its vocabulary has neither an unknown token nor a token for every byte');
  const plain = new Map([...vocabulary].filter(([text]) => !reserved.has(text)));
  const table = new MergeTable(merges.length);
  for (const [rank, [left, right]] of merges.entries()) {
    const ids = [plain.get(left), plain.get(right), plain.get(left + right)];
    const [leftId, rightId, merged] = ids;
    if (leftId !== undefined && rightId !== undefined && merged !== undefined)
      table.add(leftId, rightId, { rank, merged });
  }
  const bytesOf = (character: string): number[] | undefined => {
    const ids = Array.from(Buffer.from(character), (byte) => byteIds[byte]);
    return ids.every((id) => id !== undefined) ? ids : undefined;
  };
  /** The tokens of the characters. The unknown token waits for what it may be fused with, as in the Rust library. */
  const charactersOf = (word: string): number[] => {
    const ids: number[] = [];
    let waiting: number | undefined;
    for (const character of word) {
      const id = plain.get(character);
      if (id !== undefined) {
        if (waiting !== undefined) ids.push(waiting);
        waiting = undefined;
        ids.push(id);
        continue;
      }
      const fallback = falls ? bytesOf(character) : undefined;
      if (fallback !== undefined) {
        ids.push(...fallback);
        continue;
      }
      if (waiting !== undefined && !(read.fuse_unk ?? false)) ids.push(waiting);
      waiting = unknown;
    }
    if (waiting !== undefined) ids.push(waiting);
    return ids;
  };
  return (word) => {
    const whole = (read.ignore_merges ?? false) ? plain.get(word) : undefined;
    return whole === undefined ? table.apply(charactersOf(word)) : [whole];
  };
}
