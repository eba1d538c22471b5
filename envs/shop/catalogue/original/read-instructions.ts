import { z } from 'zod';
import { fileError, type FilePlace } from './file-error.ts';
import { instructionFileLimits } from './limits.ts';
import { parseEntry } from './parse-piece.ts';
import { piecesOf } from './pieces.ts';

/** An instruction that a person wrote for a product, with its requirements. */
export interface HumanInstruction {
  readonly instruction: string;
  /** Required attributes. The original makes no goal where there are none. */
  readonly attributes: readonly string[];
  /** Required option values. */
  readonly options: readonly string[];
}

const texts = z.array(z.string());
const entrySchema = z.array(
  z.object({ instruction: z.string(), instruction_attributes: texts, instruction_options: texts }),
);

/**
 * Reads `items_human_ins.json`, which has lists of instructions by product id. Calls `visit` with the list of
 * each product for which `wanted` is true.
 *
 * @throws UsageError that names the entry when the file is damaged or an instruction lacks a field
 */
export async function readInstructions(
  file: string,
  signal: AbortSignal,
  use: {
    wanted(asin: string): boolean;
    visit(asin: string, instructions: readonly HumanInstruction[]): void;
  },
): Promise<void> {
  for await (const { asin, value, place } of entriesOf(file, signal))
    if (use.wanted(asin)) use.visit(asin, readList(value, place));
}

/**
 * Throws what {@link readInstructions} would throw at the first entry, if it were wanted, or where there is
 * no entry. It serves as an early check of a file that is read late and is easily confused with another.
 */
export async function assertInstructions(file: string, signal: AbortSignal): Promise<void> {
  for await (const { value, place } of entriesOf(file, signal)) return void readList(value, place);
  throw fileError({ file }, 'it has no entries, and so no instructions.');
}

interface Entry {
  readonly asin: string;
  readonly value: unknown;
  readonly place: FilePlace;
}

async function* entriesOf(file: string, signal: AbortSignal): AsyncGenerator<Entry, void> {
  for await (const { number, start, bytes } of piecesOf(file, {
    shape: 'object',
    limits: instructionFileLimits,
    signal,
  })) {
    const place = { file, item: number, byte: start };
    const [asin, value] = parseEntry(bytes, place);
    yield { asin, value, place: { ...place, name: asin } };
  }
}

function readList(value: unknown, place: FilePlace): readonly HumanInstruction[] {
  const parsed = entrySchema.safeParse(value);
  if (!parsed.success) {
    const [index, field] = parsed.error.issues[0]?.path ?? [];
    const what =
      field === undefined
        ? 'it is not a list of instructions.'
        : `instruction ${Number(index) + 1} has no ${String(field)} of the kind that the published file has there.`;
    throw fileError(place, what);
  }
  return parsed.data.map((entry) => ({
    instruction: entry.instruction,
    attributes: entry.instruction_attributes,
    options: entry.instruction_options,
  }));
}
