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

/** One decision or token of a batch. All fields but the advantage are log-probabilities. */
export interface PolicyFacts {
  readonly advantage: number;
  /** Log of current / proximal. */
  readonly logRatio: number;
  /** Upper bound of the log-ratio. */
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

/** Registers a user's objective in this process under `kind`. */
export function registerObjective(kind: string, definition: ObjectiveDefinition): void {
  registered.set(kind, definition);
}

/**
 * The function of a named objective. @throws UsageError if this process does not know it, or for invalid
 * options
 */
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
          ? `there is no objective of that name. The built-in ones are ${objectives.map(({ kind }) => kind).join(', ')}.`
          : `${describeIssues(parsed.error)}.`,
      fix: 'Name a built-in one, or register your own with registerObjective in this process.',
    });
  return definition.create(parsed.data, { low, high, dualClip });
}

/** Weights the surrogate of one decision or token by the staleness of its sample. */
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
