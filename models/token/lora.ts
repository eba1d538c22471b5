import { z } from 'zod';
import type { Rng } from '../../envs/core/rng.ts';
import type { TransformerConfig } from './transformer-config.ts';
import {
  layerPath,
  projectionPaths,
  projections,
  projectionShapes,
  type NamedTensors,
  type NamedValues,
  type Projection,
} from './weight-layout.ts';

/** Low-rank changes of some projections: y = x Wᵀ + alpha / rank (x Aᵀ) Bᵀ with W frozen (Hu et al. 2021, section 4.1). */
export const loraConfigSchema = z.strictObject({
  rank: z.int().min(1),
  alpha: z.number().positive(),
  /** Modules to change, in every layer. */
  targets: z
    .array(z.enum(projections))
    .min(1)
    .refine((targets) => new Set(targets).size === targets.length, 'a target is listed twice'),
});
export type LoraConfig = z.output<typeof loraConfigSchema>;

/** Factors by the paths of their modules, such as `model.layers.0.self_attn.q_proj.lora_A.weight`; A is (rank, in), B (out, rank). */
export interface Adapter<Factors extends NamedTensors | NamedValues = NamedTensors> {
  readonly config: LoraConfig;
  readonly factors: Factors;
}

/** The names of a module's two factors. */
export function factorNames(modulePath: string): readonly [a: string, b: string] {
  return [`${modulePath}.lora_A.weight`, `${modulePath}.lora_B.weight`];
}

/** The factor of the low-rank product. */
export function loraScale({ alpha, rank }: LoraConfig): number {
  return alpha / rank;
}

/** The changed modules of all layers, in storage order. */
export function changedModules(
  config: TransformerConfig,
  { targets }: LoraConfig,
): readonly { readonly layer: number; readonly path: string; readonly projection: Projection }[] {
  const inOrder = projections.filter((projection) => targets.includes(projection));
  return Array.from({ length: config.layers }, (_, layer) =>
    inOrder.map((projection) => ({ layer, path: layerPath(layer, projectionPaths[projection]), projection })),
  ).flat();
}

/** Every factor with its shape. */
export function factorShapes(
  config: TransformerConfig,
  lora: LoraConfig,
): ReadonlyMap<string, readonly [rows: number, columns: number]> {
  const shapes = new Map<string, readonly [number, number]>();
  for (const { path, projection } of changedModules(config, lora)) {
    const [out, width] = projectionShapes(config)[projection];
    const [a, b] = factorNames(path);
    shapes.set(a, [lora.rank, width]).set(b, [out, lora.rank]);
  }
  return shapes;
}

/** Seeded factors that change nothing yet: A uniform within 1 / sqrt(in), as PEFT draws it, and B zero. */
export function initialFactors(config: TransformerConfig, lora: LoraConfig, rng: Rng): NamedValues {
  const factors: Record<string, Float32Array> = {};
  for (const [name, [rows, columns]] of factorShapes(config, lora)) {
    factors[name] = new Float32Array(rows * columns);
    if (!name.endsWith('.lora_A.weight')) continue;
    const stream = rng.fork(name);
    const reach = 1 / Math.sqrt(columns);
    for (let at = 0; at < factors[name].length; at += 1)
      factors[name][at] = (2 * stream.uniform() - 1) * reach;
  }
  return factors;
}

/** Merges the adapter into the given weights, in place: W + alpha / rank B A. */
export function mergeAdapter(
  config: TransformerConfig,
  weights: NamedValues,
  { config: lora, factors }: Adapter<NamedValues>,
): void {
  for (const { path, projection } of changedModules(config, lora)) {
    const [out, width] = projectionShapes(config)[projection];
    const [a, b] = factorNames(path).map((name) => valuesNamed(factors, name)) as [
      Float32Array,
      Float32Array,
    ];
    const weight = valuesNamed(weights, `${path}.weight`);
    const change = new Float64Array(width);
    for (let row = 0; row < out; row += 1) {
      change.fill(0);
      for (let rank = 0; rank < lora.rank; rank += 1) {
        const share = loraScale(lora) * (b[row * lora.rank + rank] as number);
        for (let column = 0; column < width; column += 1)
          change[column]! += share * (a[rank * width + column] as number);
      }
      for (let column = 0; column < width; column += 1)
        weight[row * width + column]! += change[column] as number;
    }
  }
}

function valuesNamed(values: NamedValues, name: string): Float32Array {
  const found = values[name];
  if (found === undefined) throw new TypeError(`there is no tensor ${name}`);
  return found;
}
