import { availableParallelism } from 'node:os';
import { medianToThreshold } from '../../trainers/evaluate/intervals.ts';
import type { EvaluationResult } from '../../trainers/evaluate/result.ts';
import { poolSeeds } from '../../trainers/evaluate/summarise.ts';
import { threshold } from './read-figures.ts';

export interface RunFigures {
  readonly variant: string;
  readonly seed: number;
  readonly curve: readonly { readonly environmentSteps: number; readonly success: number }[];
  /** Environment steps at the first evaluation on `dev` that showed it; undefined when none did. */
  readonly stepsToThreshold: number | undefined;
  /** Evaluations on held-out panels, at the end. */
  readonly results: readonly EvaluationResult[];
}

/** The study as it is recorded: by variant the steps to the threshold and the final success, with intervals over seeds. */
export function summariseStudy(runs: readonly RunFigures[]): Readonly<Record<string, unknown>> {
  const names = [...new Set(runs.map(({ variant }) => variant))];
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cores: availableParallelism(),
    threshold,
    variants: Object.fromEntries(names.map((name) => [name, summariseVariant(runs.filter(({ variant }) => variant === name))])),
  };
}

function summariseVariant(runs: readonly RunFigures[]): unknown {
  const bySeed = runs.toSorted((a, b) => a.seed - b.seed);
  const agents = [...new Set(bySeed.flatMap(({ results }) => results.map(({ agent }) => agent)))];
  return {
    seeds: bySeed.map(({ seed }) => seed),
    stepsToThreshold: { bySeed: bySeed.map((run) => run.stepsToThreshold ?? 'never'), median: medianToThreshold(bySeed.map((run) => run.stepsToThreshold)) },
    final: Object.fromEntries(agents.map((agent) => [agent, poolAgent(bySeed, agent)])),
    curves: bySeed.map(({ seed, curve }) => ({ seed, curve: curve.map(({ environmentSteps, success }) => [environmentSteps, success]) })),
  };
}

/** Success of one agent of the variant on the held-out panel, with the interval over seeds and tasks. */
function poolAgent(runs: readonly RunFigures[], agent: string): unknown {
  const ofSeeds = runs.flatMap(({ seed, results }) => results.filter((result) => result.agent === agent).map((result) => ({ seed, result })));
  const { panel, success, meanTurns, byFamily } = poolSeeds(ofSeeds, { agent });
  return {
    panel,
    bySeed: ofSeeds.map(({ result }) => result.success.rate),
    ...success,
    meanTurns,
    byFamily: Object.fromEntries(Object.entries(byFamily).map(([family, { rate }]) => [family, rate])),
  };
}
