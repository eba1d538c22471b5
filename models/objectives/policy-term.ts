import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { objectives } from './list.ts';
import type { PolicyObjective } from './objective.ts';
import {
  bounded,
  largestLogRatio,
  type ObjectiveDefinition,
  type Surrogate,
  type SurrogateFacts,
} from './surrogate.ts';

/** One decision or token as a batch holds it. All but the advantage are log-probabilities. */
export interface PolicyFacts {
  readonly advantage: number;
  /** Log of current / proximal. */
  readonly logRatio: number;
  /** Bound on the log-ratio from above. */
  readonly ceiling?: number;
  readonly proximal: number;
  readonly behaviour: number;
}

/** The loss of one decision or token, weighted by its staleness. */
export interface PolicyTerm extends Surrogate {
  /** Current / proximal. */
  readonly ratio: number;
  /** Weight of staleness: min(cap, proximal / behaviour). */
  readonly importance: number;
}

const registered = new Map<string, ObjectiveDefinition>(objectives.map((each) => [each.kind, each]));

/** Makes an objective of the user's own known to this process under `kind`. */
export function registerObjective(kind: string, definition: ObjectiveDefinition): void {
  registered.set(kind, definition);
}

/** The function that an objective names. @throws UsageError where this process does not know it, or its options do not fit */
export function surrogateOf({
  surrogate,
  low,
  high,
  dualClip,
}: Pick<PolicyObjective, 'surrogate' | 'low' | 'high' | 'dualClip'>): (facts: SurrogateFacts) => Surrogate {
  const definition = registered.get(surrogate.kind);
  const parsed = definition?.options.safeParse(surrogate.options);
  if (definition === undefined || parsed?.success !== true)
    throw new UsageError({
      where: `objective, surrogate ${surrogate.kind}`,
      what:
        parsed?.error === undefined
          ? `there is none of this name. Built in are ${objectives.map(({ kind }) => kind).join(', ')}.`
          : `${describeIssues(parsed.error)}.`,
      fix: 'Name one that is built in, or register your own with registerObjective in this process.',
    });
  return definition.create(parsed.data, { low, high, dualClip });
}

/** Weighs the surrogate of one decision or token by how stale its sample is. */
export function policyTerm(
  surrogate: (facts: SurrogateFacts) => Surrogate,
  importanceCap: number | undefined,
  { advantage, logRatio, ceiling = largestLogRatio, proximal, behaviour }: PolicyFacts,
): PolicyTerm {
  const boundedLogRatio = bounded(logRatio, -largestLogRatio, ceiling);
  const ratio = Math.exp(boundedLogRatio);
  const { loss, slope, clipped } = surrogate({
    advantage,
    logRatio: boundedLogRatio,
    ratio,
    isBounded: logRatio !== boundedLogRatio,
  });
  const importance =
    importanceCap === undefined ? 1 : Math.min(importanceCap, Math.exp(proximal - behaviour));
  return {
    loss: importance * loss,
    slope: importance * slope,
    clipped,
    ratio,
    importance,
  };
}
