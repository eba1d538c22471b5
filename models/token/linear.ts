import { add, mul, type Tensor2D } from '@tensorflow/tfjs-core';
import { columnSums } from './operations/column-sums.ts';
import { product, productGradientByInput, productGradientByWeight } from './operations/product.ts';
import { factorNames, loraScale, type Adapter } from './lora.ts';
import { tensorNamed, type NamedTensors } from './weight-layout.ts';

/** The weights that a pass uses. With an adapter the weights are frozen; without, they are the reference that it began from. */
export interface Parameters {
  readonly weights: NamedTensors;
  readonly adapter: Adapter | undefined;
  /** Transposes of what the forward pass multiplies by, under the same names, where many passes share them; else each makes its own. */
  readonly turned?: NamedTensors | undefined;
}

/** The projection of that path, with its bias and the adapter's change where it has them: (T, in) to (T, out). */
export function project({ weights, adapter, turned }: Parameters, path: string, x: Tensor2D): Tensor2D {
  const name = `${path}.weight`;
  const straight = product(x, tensorNamed(weights, name), turned?.[name]);
  const bias = weights[`${path}.bias`];
  const biased = bias === undefined ? straight : add<Tensor2D>(straight, bias);
  const factors = factorsOf(adapter, path);
  if (factors === undefined) return biased;
  const [nameOfA, nameOfB] = factorNames(path);
  const low = product(x, factors.a, turned?.[nameOfA]); // (T, rank)
  return add(biased, mul(product(low, factors.b, turned?.[nameOfB]), factors.scale));
}

/**
 * The gradient of {@link project} by x, and by name those of what is trained: the factors where there is an adapter, else
 * weight and bias.
 */
export function projectGradient(
  { weights, adapter }: Parameters,
  path: string,
  x: Tensor2D,
  gradient: Tensor2D, // (T, out)
): { readonly x: Tensor2D; readonly trained: NamedTensors } {
  const throughWeight = productGradientByInput(gradient, tensorNamed(weights, `${path}.weight`));
  const factors = factorsOf(adapter, path);
  if (factors === undefined)
    return {
      x: throughWeight,
      trained: adapter === undefined ? weightGradient(weights, path, x, gradient) : {},
    };
  const scaled = mul<Tensor2D>(gradient, factors.scale);
  const overLow = productGradientByInput(scaled, factors.b); // (T, rank)
  const [a, b] = factorNames(path);
  return {
    x: add(throughWeight, productGradientByInput(overLow, factors.a)),
    trained: {
      [a]: productGradientByWeight(overLow, x),
      [b]: productGradientByWeight(scaled, product(x, factors.a)),
    },
  };
}

function weightGradient(weights: NamedTensors, path: string, x: Tensor2D, gradient: Tensor2D): NamedTensors {
  const ofWeight = { [`${path}.weight`]: productGradientByWeight(gradient, x) };
  return weights[`${path}.bias`] === undefined
    ? ofWeight
    : { ...ofWeight, [`${path}.bias`]: columnSums(gradient) };
}

function factorsOf(
  adapter: Adapter | undefined,
  path: string,
): { readonly a: Tensor2D; readonly b: Tensor2D; readonly scale: number } | undefined {
  const [nameOfA, nameOfB] = factorNames(path);
  const [a, b] = [adapter?.factors[nameOfA], adapter?.factors[nameOfB]];
  return adapter === undefined || a === undefined || b === undefined
    ? undefined
    : { a, b, scale: loraScale(adapter.config) };
}
