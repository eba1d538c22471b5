import { add, engine, mean, mul, rsqrt, square, sub, type Tensor2D } from '@tensorflow/tfjs-core';
import { hasKernel, kernelNames } from '../../kernels/operations.ts';
import { columnSums } from './column-sums.ts';

/** Each row over its root mean square, times the scale (Zhang and Sennrich 2019, eq. 4): (T, width) and (1, width). */
export function rmsNorm(x: Tensor2D, scale: Tensor2D, epsilon: number): Tensor2D {
  if (!hasKernel(kernelNames.rmsNorm)) return composedRmsNorm(x, scale, epsilon);
  return engine().runKernel<Tensor2D>(kernelNames.rmsNorm, { x, scale }, { epsilon });
}

export type RmsNormGradient = { readonly x: Tensor2D; readonly scale: Tensor2D };

/** The gradient of {@link rmsNorm} by x and by the scale. */
export function rmsNormGradient(
  x: Tensor2D,
  scale: Tensor2D,
  epsilon: number,
  gradient: Tensor2D,
): RmsNormGradient {
  if (!hasKernel(kernelNames.rmsNormGradient)) return composedRmsNormGradient(x, scale, epsilon, gradient);
  const [overX, overScale] = engine().runKernel<Tensor2D[]>(
    kernelNames.rmsNormGradient,
    { x, scale, gradient },
    { epsilon },
  );
  if (overX === undefined || overScale === undefined)
    throw new TypeError('the gradient of a norm is two tensors');
  return { x: overX, scale: overScale };
}

/** {@link rmsNorm} made of other operations, for backends without a kernel. */
export function composedRmsNorm(x: Tensor2D, scale: Tensor2D, epsilon: number): Tensor2D {
  return mul(mul(x, inverseRoot(x, epsilon)), scale);
}

export function composedRmsNormGradient(
  x: Tensor2D,
  scale: Tensor2D,
  epsilon: number,
  gradient: Tensor2D,
): RmsNormGradient {
  const inverse = inverseRoot(x, epsilon);
  const normed = mul<Tensor2D>(x, inverse);
  const overNormed = mul<Tensor2D>(gradient, scale);
  const along = mean<Tensor2D>(mul(overNormed, normed), 1, true);
  return { x: mul(inverse, sub(overNormed, mul(normed, along))), scale: columnSums(mul(gradient, normed)) };
}

function inverseRoot(x: Tensor2D, epsilon: number): Tensor2D {
  return rsqrt(add<Tensor2D>(mean<Tensor2D>(square(x), 1, true), epsilon)); // (T, 1)
}
