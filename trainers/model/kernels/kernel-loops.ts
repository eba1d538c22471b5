import type { Bags } from './bag.ts';
import type { AdamConstants } from './operations.ts';

/** What AdamW keeps of one tensor. */
export interface AdamArrays {
  readonly value: Float32Array;
  readonly first: Float32Array;
  readonly second: Float32Array;
}

/** Equally long rows within an array, which need not lie side by side. */
export interface Rows {
  readonly values: Float32Array;
  /** Where the first begins. */
  readonly at: number;
  /** From the beginning of one to that of the next. */
  readonly stride: number;
  readonly count: number;
  /** Numbers of each that count. */
  readonly width: number;
}

/** Numbers side by side within an array, as many as something beside them is wide. */
export interface Vector {
  readonly values: Float32Array;
  /** Where the first is. */
  readonly at: number;
}

/** Loops over the rows that one token attends to, and a vector of their width. */
export interface RowLoops {
  /** out[j] = scale * the inner product of the vector with row j. */
  dots(vector: Vector, rows: Rows, scale: number, out: Float32Array): void;
  /** Puts e^(value - shift) into each of the first `count` places, and returns their sum; with `shift` undefined it is the largest of them. */
  exponentials(values: Float32Array, count: number, shift: number | undefined): { readonly sum: number; readonly shift: number };
  /** The vector becomes factor * the sum of weight j * row j. */
  weightedSum(weights: Float32Array, rows: Rows, factor: number, vector: Vector): void;
  /** Adds weight j * the vector to row j. */
  addScaled(weights: Float32Array, vector: Vector, rows: Rows): void;
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
export interface KernelLoops extends RowLoops {
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
