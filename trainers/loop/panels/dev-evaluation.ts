import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { forkContext } from '../../../envs/core/context.ts';
import { evaluate, policyPlayer } from '../../evaluate/evaluate.ts';
import type { PolicyDecoding } from '../../results/estimate.ts';
import type { EvaluationResult } from '../../results/result.ts';
import type { EvaluationLine } from '../../run/metrics-schema.ts';
import type { TrainConfig } from '../../config/config.ts';
import { allFaulted, worldFailed } from '../health/faults.ts';
import type { TrainingRun } from '../setup/training-setup.ts';

/** The decoding of the policy if the config gives only its kind. */
export function decodingOf(
  config: Pick<TrainConfig, 'temperature'>,
  kind: 'sampled' | 'greedy',
): PolicyDecoding {
  return kind === 'greedy' ? { kind: 'greedy' } : { kind: 'sampled', temperature: config.temperature };
}

/**
 * Evaluates the policy on `dev`, with new random numbers each time. If every episode faults, the run stops
 * with a `RunError`, as in an iteration.
 */
export async function evaluateOnDev(session: TrainingRun, label: string): Promise<EvaluationResult> {
  const { envSession, policy, config, panels, versions } = session;
  using scope = forkContext(session.context, `dev-${label}`);
  const lost: TrajectoryGroup[] = []; // as long as there are no others
  let holds = false;
  const result = await evaluate({
    envSession,
    player: policyPlayer(policy, {
      name: 'policy',
      checkpoint: label,
      decoding: decodingOf(config, config.evaluation.decoding),
    }),
    panel: panels.dev,
    seed: config.seed,
    episodesPerTask: 1,
    versions,
    onGroup: (group) => {
      holds ||= !allFaulted([group]);
      if (holds) lost.length = 0;
      else lost.push(group);
    },
    context: scope,
  });
  if (!holds)
    throw await worldFailed(session, { what: `evaluation on ${panels.dev.name}, ${label},`, groups: lost });
  return result;
}

/** The metrics line of an evaluation. */
export function evaluationLine(
  result: EvaluationResult,
  at: { readonly iteration: number; readonly environmentSteps: number },
): EvaluationLine {
  return {
    kind: 'evaluation',
    ...at,
    panel: result.panel.name,
    fingerprint: result.panel.fingerprint,
    agent: result.agent,
    decoding: result.shown.decoding,
    success: result.success,
    score: result.score,
    byFamily: Object.fromEntries(
      Object.entries(result.byFamily).map(([family, { rate, low, high, tasks }]) => [
        family,
        { rate, low, high, tasks },
      ]),
    ),
    figures: {
      ...faultFigures(result),
      ...(result.meanTurns === undefined ? {} : { meanTurns: result.meanTurns }),
    },
  };
}

/** The faults of an evaluation as figures; counts only if there are any. */
export function faultFigures({ faults }: Pick<EvaluationResult, 'faults'>): Readonly<Record<string, number>> {
  return {
    'faults/share': faults.share,
    ...(faults.count === 0 ? {} : { 'faults/count': faults.count }),
    ...(faults.retried === 0 ? {} : { 'faults/retried': faults.retried }),
  };
}
