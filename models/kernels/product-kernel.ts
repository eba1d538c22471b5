import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core';
import { kernelInput } from './kernel-input.ts';
import type { ProductShape } from './kernel-loops.ts';
import type { TypedArrayAccess } from './typed-array-kernels.ts';

/** The product, and the room that it worked in. */
export function productKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
  const [left, right] = [kernelInput(inputs, 'left'), kernelInput(inputs, 'right')];
  const shape = productShape(left, right, attributes);
  const made = [
    access.make([shape.rows, shape.columns]),
    access.make([Math.max(1, access.loops.productRoom(shape))]),
  ];
  const [out, room] = made.map((tensor) => access.floats(tensor)) as [Float32Array, Float32Array];
  access.loops.product({ left: access.floats(left), right: access.floats(right), out, room }, shape);
  return made;
}

/** The product with a matrix of bfloat16, and the room that it worked in. */
export function bfloat16ProductKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
  const [left, right] = [kernelInput(inputs, 'left'), kernelInput(inputs, 'right')];
  const [rightRows = 0, pairs = 0] = right.shape;
  const wide = { ...right, shape: [rightRows, 2 * pairs] };
  const shape = productShape(left, wide, { ...attributes, turnsLeft: false });
  const made = [
    access.make([shape.rows, shape.columns]),
    access.make([Math.max(1, access.loops.bfloat16Room(shape))]),
  ];
  const [out, room] = made.map((tensor) => access.floats(tensor)) as [Float32Array, Float32Array];
  access.loops.bfloat16Product(
    { left: access.floats(left), right: access.integers(right), out, room },
    shape,
  );
  return made;
}

/** Rows of a matrix of bfloat16 as float32. */
export function bfloat16RowsKernel(inputs: NamedTensorInfoMap, access: TypedArrayAccess): TensorInfo {
  const [table, rows] = [kernelInput(inputs, 'table'), kernelInput(inputs, 'rows')];
  const pairs = table.shape[1] as number;
  const out = access.make([rows.shape[0] as number, 2 * pairs]);
  const [packed, values] = [access.integers(table), access.floats(out)];
  for (const [place, row] of access.integers(rows).entries()) {
    access.loops.widen(
      packed.subarray(row * pairs, (row + 1) * pairs),
      values.subarray(2 * place * pairs, 2 * (place + 1) * pairs),
    );
  }
  return out;
}

function productShape(
  left: TensorInfo,
  right: TensorInfo,
  attributes: NamedAttrMap | undefined,
): ProductShape {
  const { turnsLeft, turnsRight } = attributes ?? {};
  if (typeof turnsLeft !== 'boolean' || typeof turnsRight !== 'boolean')
    throw new TypeError('the kernel of products needs to know which matrices it turns');
  const [rows, depth] = sidesOf(left, turnsLeft);
  const [rightDepth, columns] = sidesOf(right, turnsRight);
  if (depth !== rightDepth)
    throw new TypeError(`a product of ${rows} x ${depth} and ${rightDepth} x ${columns}`);
  return { rows, depth, columns, turnsLeft, turnsRight };
}

function sidesOf({ shape: [rows = 0, columns = 0] }: TensorInfo, turns: boolean): readonly [number, number] {
  return turns ? [columns, rows] : [rows, columns];
}
