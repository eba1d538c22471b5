import { z } from 'zod';
import { terminalLine } from '../../envs/core/terminal-text.ts';
import { plural } from './number-words.ts';
import type { EpisodeRow, EvaluationResult } from './result.ts';

const probability = z.number().min(0).max(1);
const count = z.int().min(0);

/** Bins of equal width. */
const binCount = 10;

/** How well stated confidences agree with successes. */
export const calibrationSchema = z.strictObject({
  /** Episodes with a confidence. */
  episodes: count.min(1),
  /** The mean of (confidence - success)^2 (Brier 1950); 0 is best. */
  brier: probability,
  /**
   * Expected calibration error: the mean distance of confidence and success rate over ten bins of equal width, weighted
   * by their episodes (Naeini, Cooper and Hauskrecht 2015); 0 is best.
   */
  ece: probability,
  /** The bins that have episodes. `from` is the lower end of a bin. */
  bins: z.array(
    z.strictObject({ from: probability, episodes: count, confidence: probability, solved: probability }),
  ),
});
export type Calibration = Readonly<z.output<typeof calibrationSchema>>;

/** A row, as far as calibration needs it. */
type Answered = Pick<EpisodeRow, 'outcome' | 'metrics'>;

/**
 * The calibration of episodes whose env reports the metric `confidence`: the stated probability that the episode is solved.
 * Undefined where there is none. Values outside of 0 to 1 are no probabilities and do not count.
 */
export function calibrationOf(rows: readonly Answered[]): Calibration | undefined {
  const stated = rows.flatMap(({ outcome, metrics }) => {
    const confidence = metrics?.['confidence'];
    return confidence === undefined || confidence < 0 || confidence > 1
      ? []
      : [{ confidence, solved: outcome === 'solved' ? 1 : 0 }];
  });
  if (stated.length === 0) return undefined;
  const bins = Array.from({ length: binCount }, (_, bin) => {
    const members = stated.filter(
      ({ confidence }) => Math.min(binCount - 1, Math.floor(confidence * binCount)) === bin,
    );
    return {
      from: bin / binCount,
      episodes: members.length,
      confidence: mean(members.map(({ confidence }) => confidence)),
      solved: mean(members.map(({ solved }) => solved)),
    };
  }).filter(({ episodes }) => episodes > 0);
  return {
    episodes: stated.length,
    brier: mean(stated.map(({ confidence, solved }) => (confidence - solved) ** 2)),
    ece: bins.reduce(
      (sum, bin) => sum + (bin.episodes / stated.length) * Math.abs(bin.confidence - bin.solved),
      0,
    ),
    bins,
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** `qwen: confidence in 87 of 100 episodes, Brier score 0.210, expected calibration error 0.130.` */
export function describeCalibration({
  agent,
  calibration,
  episodes,
}: Pick<EvaluationResult, 'agent' | 'calibration' | 'episodes'>): string | undefined {
  if (calibration === undefined) return undefined;
  const { brier, ece } = calibration;
  const all = `${episodes.length} ${plural(episodes.length, 'episode')}`;
  return `${terminalLine(agent)}: confidence in ${calibration.episodes} of ${all}, Brier score ${brier.toFixed(3)}, expected calibration error ${ece.toFixed(3)}.`;
}
