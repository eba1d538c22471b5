import { asinBytes, AsinTable } from './asin-table.ts';

/** The facts about every product that need no record. */
export interface CatalogueTables {
  readonly size: number;
  /** The start of each record in its file, in bytes, and the end of the last one. */
  readonly starts: Float64Array; // (size + 1)
  /** The costs of the products, in dollars. */
  readonly prices: Float64Array; // (size)
  /** CRC-32 of the records. */
  readonly checksums: Uint32Array; // (size)
  readonly asins: AsinTable;
}

/** Collects the tables, product by product. */
export class TablesWriter {
  readonly #asins = new AsinTable();
  readonly #starts: number[] = [0];
  readonly #prices: number[] = [];
  readonly #checksums: number[] = [];

  /** False for a repeated product id. */
  add(product: {
    readonly asin: string;
    readonly price: number;
    readonly bytes: number;
    readonly checksum: number;
  }): boolean {
    if (this.#asins.add(product.asin) === undefined) return false;
    this.#starts.push((this.#starts.at(-1) as number) + product.bytes);
    this.#prices.push(product.price);
    this.#checksums.push(product.checksum);
    return true;
  }

  get size(): number {
    return this.#asins.size;
  }

  /** The numbers of the products in the order of their ids. */
  byId(): Uint32Array {
    return this.#asins.sorted();
  }

  /** The concatenated tables, little-endian. */
  finish(): Buffer {
    const parts = [
      Float64Array.from(this.#starts),
      Float64Array.from(this.#prices),
      Uint32Array.from(this.#checksums),
      this.#asins.bytes,
    ];
    return Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)));
  }
}

/** The number of bytes of the tables of so many products. */
export const tableBytes = (size: number): number => 8 * (size + 1) + (8 + 4 + asinBytes) * size;

/**
 * Parses the output of {@link TablesWriter.finish}.
 *
 * @throws RangeError when the bytes are invalid
 */
export function readTables(bytes: Uint8Array, size: number): CatalogueTables {
  if (bytes.byteLength !== tableBytes(size))
    throw new RangeError(
      `the tables of ${size} products have ${tableBytes(size)} bytes, not ${bytes.byteLength}`,
    );
  const copy = new Uint8Array(bytes); // a copy, aligned as numbers require
  const prices = 8 * (size + 1);
  const checksums = prices + 8 * size;
  return {
    size,
    starts: new Float64Array(copy.buffer, 0, size + 1),
    prices: new Float64Array(copy.buffer, prices, size),
    checksums: new Uint32Array(copy.buffer, checksums, size),
    asins: AsinTable.from(copy.subarray(checksums + 4 * size)),
  };
}
