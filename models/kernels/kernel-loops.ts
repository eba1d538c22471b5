import type { AttentionLoops } from './attention-arrays.ts';
import type { Bags } from './bag.ts';
import type { AdamConstants } from './operations.ts';
import type { TokenLoops } from './token-loops.ts';

/** What AdamW keeps of one tensor. */
export interface AdamArrays {
  readonly value: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
}

/** What a product reads and writes. */
export interface ProductArrays {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly out: Float32Array; // (rows, columns)
  readonly room: Float32Array;
}

/** A product of (rows, depth) and (depth, columns), of which either matrix may lie the other way: column by column. */
export interface ProductShape {
  readonly rows: number;
  readonly depth: number;
  readonly columns: number;
  readonly turnsLeft: boolean;
  readonly turnsRight: boolean;
}

/** The arithmetic of our kernels, over typed arrays. */
export interface KernelLoops extends AttentionLoops, TokenLoops {
  /** out[k] = sum of the table's rows that bag k names, `width` numbers each, in the bag's order. */
  bagSum(table: Float32Array, bags: Bags, width: number, out: Float32Array): void;
  /** One AdamW step over all entries; `from` is only read. */
  adam(from: AdamArrays, gradient: Float32Array, constants: AdamConstants, to: AdamArrays): void;
  /** The left matrix times the right one. */
  product(arrays: ProductArrays, shape: ProductShape): void;
  /** How many numbers of room {@link product} needs. */
  productRoom(shape: ProductShape): number;
  sumOfSquares(values: Float32Array): number;
}
