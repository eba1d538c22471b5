import { join } from 'node:path';
import type { EvaluationResult } from '../results/result.ts';
import type { ListedCheckpoint } from '../run/checkpoint-store.ts';
import { metricsLineSchema, type IterationLine } from '../run/metrics-schema.ts';
import type { RunFolder } from '../run/open-run.ts';
import { readStartedJsonl } from '../../files/read-jsonl.ts';
import { cloningName, policyFolder, referenceName } from '../run/checkpoint-names.ts';
import { cloningBegins, cloningFrom } from '../run/cloning-state.ts';
import { faultsOf, type RunFaults } from './health/faults.ts';
import { runFinalEvaluation } from './panels/final-evaluation.ts';
import type { ResumePoint } from './resume/find-resume-point.ts';
import type { TrainingRun } from './setup/training-setup.ts';
import { tableRefusal } from '../config/resolve-config.ts';
import { findSamplerGap, type SamplerGap } from './health/sampler-gap.ts';
import { findStalls, type Stall } from './health/stalls.ts';
import { initialState, stateFrom, type TrainState } from './train-state.ts';
import { Training } from './training.ts';
import { loadLearners } from '../critics/gather-evidence.ts';
import { warmStart } from './warm-start/warm-start.ts';

/** What the whole run came to. */
export interface TrainOutcome {
  readonly state: TrainState;
  /** Results on the held-out panels: those before and after training, and the anchors beside them. */
  readonly results: readonly EvaluationResult[];
  readonly faults: RunFaults;
  /** Stretches of iterations that taught nothing. */
  readonly stalls: readonly Stall[];
  /** Iterations in which a server sampled from something else than what is trained; undefined where there were none, or no server. */
  readonly samplerGap: SamplerGap | undefined;
  /** Why there are no results, and how to get some; undefined where there are. */
  readonly noTable: string | undefined;
}

/**
 * Trains from `start`: warm start, iterations, final evaluation. When the context's signal aborts, what is done is in a
 * checkpoint and the signal's reason is thrown.
 * @param warning what must be said of the folder before the run goes on in it
 */
export async function train(
  session: TrainingRun,
  start: ResumePoint,
  warning?: string,
): Promise<TrainOutcome> {
  const training = new Training(
    session,
    start.kind === 'beginning' ? initialState : stateFrom(start.checkpoint.manifest),
  );
  const { run } = session;
  if (warning !== undefined) training.report({ phase: 'training', label: 'trajectories', done: 0, warning });
  switch (start.kind) {
    case 'beginning':
      await run.rewindTo();
      await warmStart(session, training, cloningBegins);
      break;
    case 'cloning':
      await goBackTo(session, start.checkpoint);
      await warmStart(session, training, cloningFrom(start.checkpoint.manifest));
      break;
    case 'iterations':
      await goBackTo(session, start.checkpoint);
      await run.removeCheckpoint(cloningName); // killed before it could go
      break;
    default:
      return start satisfies never;
  }
  await keepReference(session, start);
  await training.iterate(await iterationsOf(run));
  const results = await runFinalEvaluation(session, (label, done) =>
    training.report({ phase: 'evaluation', label, done }),
  );
  const lines = await iterationsOf(run);
  return {
    state: training.state,
    results,
    faults: faultsOf(training.state, results),
    stalls: findStalls(lines),
    samplerGap: findSamplerGap(lines, session.config),
    noTable: tableRefusal(session.config, session.envSession.host),
  };
}

/** The iterations that the run has recorded. */
async function iterationsOf(run: RunFolder): Promise<readonly IterationLine[]> {
  const { lines } = await readStartedJsonl(run.paths.metrics, metricsLineSchema);
  return lines.filter((line) => line.kind === 'iteration');
}

/** The weights of the checkpoint into the policy, and the logs cut back to it. */
async function goBackTo(
  { run, policy, evidence }: TrainingRun,
  { folder, manifest }: ListedCheckpoint,
): Promise<void> {
  await policy.load(join(folder, policyFolder));
  await loadLearners(evidence, folder);
  await run.rewindTo(manifest);
}

/** The KL anchor is the policy as it was after the warm start, which has just been made unless the run goes on after it, or at the last reset. */
async function keepReference(
  { config: { update }, run, policy }: TrainingRun,
  start: ResumePoint,
): Promise<void> {
  if (update.klWeight === 0) return;
  const at = start.kind === 'iterations' ? start.checkpoint : undefined;
  if (at !== undefined)
    await policy.load(
      join(run.paths.checkpoints, referenceName(update.referenceEvery, at.manifest.iteration), policyFolder),
    );
  await policy.keepReference();
  if (at !== undefined) await policy.load(join(at.folder, policyFolder));
}
