import { z } from 'zod';
import { fingerprintSchema } from './estimate.ts';
import { plural } from './number-words.ts';

/** How the weights were trained, so that different methods, settings and training runs are never confused. */
export const lineageSchema = z.strictObject({
  /** What made the weights, such as `GiGPO by information`, or `cloned` where no reward had come yet. */
  method: z.string(),
  /**
   * SHA-256 of the training config without its seed and the paths of its initial weights: equal for the seeds
   * of one method.
   */
  settings: fingerprintSchema,
  /** One training, or those of several seeds whose results were pooled, in the order of their seeds. */
  runs: z
    .array(
      z.strictObject({
        /** Of its folder. */
        name: z.string(),
        /** Of the training, which is not that of the evaluation. */
        seed: z.int(),
        checkpoint: z.string(),
        /** Iterations done by then; 0 before the first. */
        iteration: z.int().min(0),
      }),
    )
    .min(1)
    .readonly(),
});
export type Lineage = Readonly<z.output<typeof lineageSchema>>;

/** Pooled lineage of results of one method with the same settings; undefined if one is unknown. */
export function poolLineages(lineages: readonly (Lineage | undefined)[]): Lineage | undefined {
  const known = lineages.filter((lineage) => lineage !== undefined);
  const [first] = known;
  if (first === undefined || known.length < lineages.length) return undefined;
  return { ...first, runs: known.flatMap(({ runs }) => runs).toSorted((a, b) => a.seed - b.seed) };
}

/** The first digits of a digest of settings, enough for people to distinguish settings. */
export const describeSettings = ({ settings }: Lineage): string =>
  `settings ${settings.slice('sha256:'.length, 'sha256:'.length + 8)}`;

/** `iteration-00150`, or one for each seed where they differ. */
export function describeCheckpoints({ runs }: Lineage): string {
  const [first, ...others] = runs;
  if (first === undefined || others.every(({ checkpoint }) => checkpoint === first.checkpoint))
    return `${first?.checkpoint ?? 'none'}${others.length === 0 ? '' : ' of each'}`;
  return runs.map(({ checkpoint, seed }) => `${checkpoint} (seed ${seed})`).join(', ');
}

/**
 * `seed 3`, or both if training and evaluation had different seeds. Seeds of a pooled result are those of its
 * trainings.
 */
export function describeSeeds({
  seeds,
  training,
}: {
  readonly seeds: readonly number[];
  readonly training?: Lineage | undefined;
}): string {
  const words = (numbers: readonly number[]): string =>
    `${plural(numbers.length, 'seed')} ${numbers.join(', ')}`;
  if (training === undefined) return words(seeds);
  const trained = training.runs.map(({ seed }) => seed);
  if (trained.length > 1) return `trained with ${words(trained)}`;
  return trained[0] === seeds[0]
    ? words(seeds)
    : `trained with ${words(trained)}; played with ${words(seeds)}`;
}
