import { z } from 'zod';
import { fileError, type FilePlace } from './file-error.ts';
import { attributeFileLimits } from './limits.ts';
import { parseEntry } from './parse-piece.ts';
import { PiecesByAsin } from './pieces-by-asin.ts';
import { piecesOf } from './pieces.ts';

/** The data of `items_ins_v2*.json` about a product. */
export interface AttributeNotes {
  readonly attributes: readonly string[] | undefined;
  /** The text of a synthetic goal before options and price; undefined where the product has no goals. */
  readonly instruction: string | undefined;
  readonly instructionAttributes: readonly string[] | undefined;
  readonly place: FilePlace;
}

const texts = z.array(z.string());
const entrySchema = z.object({
  attributes: texts.optional(),
  instruction: z.string().nullish(),
  instruction_attributes: texts.nullish(),
});

/** The attributes file, held in memory unparsed and parsed product by product. */
export class AttributesFile {
  readonly #file: string;
  readonly #pieces: PiecesByAsin;

  private constructor(file: string, pieces: PiecesByAsin) {
    this.#file = file;
    this.#pieces = pieces;
  }

  /** @throws UsageError when the file cannot be read or is not a JSON object */
  static async read(file: string, signal: AbortSignal): Promise<AttributesFile> {
    const pieces = new PiecesByAsin();
    for await (const { number, start, bytes } of piecesOf(file, {
      shape: 'object',
      limits: attributeFileLimits,
      signal,
    })) {
      pieces.add(nameOf(bytes, { file, item: number, byte: start }), { bytes, item: number, start });
    }
    return new AttributesFile(file, pieces);
  }

  /** The number of entries that a later entry of the same product replaced, as in the original. */
  get repeated(): number {
    return this.#pieces.repeated;
  }

  /**
   * The file's data about the product; undefined when it has none.
   *
   * @throws UsageError when the data are malformed
   */
  find(asin: string): AttributeNotes | undefined {
    const piece = this.#pieces.find(asin);
    if (piece === undefined) return undefined;
    const place: FilePlace = { file: this.#file, item: piece.item, byte: piece.start, name: asin };
    const parsed = entrySchema.safeParse(parseEntry(piece.bytes, place)[1]);
    if (!parsed.success) {
      const [field] = parsed.error.issues[0]?.path ?? [];
      throw fileError(
        place,
        field === undefined
          ? 'it is not an object { … }.'
          : `its ${String(field)} is not what the published files hold there.`,
      );
    }
    const { attributes, instruction, instruction_attributes: instructionAttributes } = parsed.data;
    return {
      attributes,
      instruction: instruction ?? undefined,
      instructionAttributes: instructionAttributes ?? undefined,
      place,
    };
  }
}

/** The name of an entry, without parsing its value. */
function nameOf(bytes: Buffer, place: FilePlace): string {
  const start = bytes.indexOf(0x22);
  const end = bytes.indexOf(0x22, start + 1);
  if (start < 0 || end < 0 || bytes.toString('latin1', 0, start).trim() !== '')
    throw fileError(place, 'it has no name in quotes.');
  const name = bytes.toString('latin1', start + 1, end);
  // a name with non-ASCII characters is no id, however it is parsed
  return name.includes('\\') ? parseEntry(bytes, place)[0] : name;
}
