import {
  add,
  concat,
  engine,
  mul,
  neg,
  reshape,
  slice,
  sub,
  type Rank,
  type Tensor2D,
  type Tensor3D,
} from '@tensorflow/tfjs-core';
import { hasKernel, kernelNames } from '../../kernels/operations.ts';

/** Cosine and sine of the angle by which each pair of a head is turned, token by token. */
export type Rotation = {
  readonly cos: Tensor2D; // (T, d / 2)
  readonly sin: Tensor2D; // (T, d / 2)
};

/**
 * Rotates the pairs of every head by their token's angles (Su et al. 2021, eq. 34): (T, heads d) to the same.
 * Pair i consists of number i of the head's first half and of its second half, as in transformers.
 */
export function rotate(x: Tensor2D, rotation: Rotation, heads: number): Tensor2D {
  if (!hasKernel(kernelNames.rotate)) return composedRotate(x, rotation, heads);
  return engine().runKernel<Tensor2D>(kernelNames.rotate, { x, ...rotation }, { heads });
}

/** {@link rotate} made of other operations, for backends without a kernel. */
export function composedRotate(x: Tensor2D, { cos, sin }: Rotation, heads: number): Tensor2D {
  const [tokens, pairs] = cos.shape;
  const halves = reshape<Rank.R4>(x, [tokens, heads, 2, pairs]);
  const half = (which: number): Tensor3D =>
    reshape(slice(halves, [0, 0, which, 0], [tokens, heads, 1, pairs]), [tokens, heads, pairs]);
  const [first, second] = [half(0), half(1)];
  const across = reshape<Rank.R3>(cos, [tokens, 1, pairs]);
  const up = reshape<Rank.R3>(sin, [tokens, 1, pairs]);
  const turned = concat(
    [sub<Tensor3D>(mul(first, across), mul(second, up)), add<Tensor3D>(mul(second, across), mul(first, up))],
    2,
  );
  return reshape(turned, x.shape);
}

/** The gradient of {@link rotate}: the same turn backwards. */
export function rotateGradient(gradient: Tensor2D, { cos, sin }: Rotation, heads: number): Tensor2D {
  return rotate(gradient, { cos, sin: neg(sin) }, heads);
}
