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

/** What a product with a matrix of bfloat16 reads and writes. */
export interface Bfloat16ProductArrays extends Omit<ProductArrays, 'right'> {
  readonly right: Int32Array; // two numbers in each
}

/** Products with matrices of bfloat16 (`bfloat16.ts`), whose left matrix is float32. */
export interface Bfloat16Loops {
  /** The numbers as float32. */
  widen(packed: Int32Array, out: Float32Array): void;
  bfloat16Product(arrays: Bfloat16ProductArrays, shape: Omit<ProductShape, 'turnsLeft'>): void;
  /** How many numbers of room {@link bfloat16Product} needs. */
  bfloat16Room(shape: Omit<ProductShape, 'turnsLeft'>): number;
}

/** The arithmetic of our kernels, over typed arrays. */
export interface KernelLoops extends AttentionLoops, TokenLoops, Bfloat16Loops {
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
