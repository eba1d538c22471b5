import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { assertOneSeat } from '../../credit/parts/batch-rows.ts';
import type { TimingsLine, WarmStartLine } from '../../run/metrics-schema.ts';
import { bestFolder, cloningName, policyFolder, warmStartName } from '../../run/checkpoint-names.ts';
import { clone, type DevResult } from './clone.ts';
import { cloningCounters, type CloningState } from '../../run/cloning-state.ts';
import { demonstrate, solvedOnly } from './demonstrations.ts';
import { faultFigures } from '../panels/dev-evaluation.ts';
import { allFaulted, worldFailed } from '../health/faults.ts';
import { recordMetrics } from '../record-metrics.ts';
import type { TrainingRun } from '../setup/training-setup.ts';
import type { Training } from '../training.ts';

/**
 * Clones the searcher from the state `from`, if the config asks for it, and writes the checkpoint to which
 * the run can always return. During cloning the best weights so far are in the cloning checkpoint.
 */
export async function warmStart(session: TrainingRun, training: Training, from: CloningState): Promise<void> {
  if (session.config.warmStart.episodes > 0) await cloneSearcher(session, training, from);
  training.report({ phase: 'evaluation', label: 'dev, before the first iteration', done: 0 });
  await training.evaluateOnDev(warmStartName);
  await training.saveCheckpoint(warmStartName);
  await session.run.removeCheckpoint(cloningName);
}

async function cloneSearcher(session: TrainingRun, training: Training, from: CloningState): Promise<void> {
  const { config, envSession, panels, policy, run, context } = session;
  const { episodes, epochs } = config.warmStart;
  let began = context.now();
  training.report({ phase: 'demonstrations', label: `${episodes} episodes of the searcher`, done: 0 });
  const demonstrations = await demonstrate(envSession, { panel: panels.train, episodes }, context);
  if (allFaulted(demonstrations))
    throw await worldFailed(session, { what: 'demonstrations', groups: demonstrations });
  // checked before anything is saved: credit would refuse it after the first iteration
  assertOneSeat(demonstrations);
  const timeOf = (epoch: number): TimingsLine => {
    const seconds = (context.now() - began) / 1000;
    began = context.now();
    return { kind: 'warm-start', iteration: epoch, seconds, phases: {} };
  };
  const checkpoint = join(run.paths.checkpoints, cloningName);
  let kept = from;
  await clone({
    policy,
    demonstrations: solvedOnly(demonstrations, envSession.definition.id),
    settings: {
      ...config.warmStart,
      optimiser: config.update.optimiser,
      maxGradNorm: config.update.maxGradNorm,
      weightDecay: config.update.weightDecay,
    },
    from,
    evaluate: (epoch) => training.evaluate(`cloning-${epoch}`),
    onDone: (epoch, share) =>
      training.report({
        phase: 'cloning',
        label: `pass ${epoch} of at most ${epochs}`,
        done: (epoch - 1 + share) / epochs,
      }),
    onPass: async ({ epoch, loss, result }) => {
      const line = { kind: 'warm-start', epoch, loss, ...devFigures(result) } as const;
      await recordMetrics(session, line, timeOf(epoch));
    },
    keep: async (state) => {
      if (state.pass.batches > 0) await run.timings.append(timeOf(state.epoch + 1));
      const best = bestFolder(state);
      await training.saveCheckpoint(cloningName, {
        counters: cloningCounters(state),
        bytes: 2 * policy.checkpointBytes,
        fill: async (folder) => {
          await policy.save(join(folder, policyFolder));
          if (best !== undefined && best !== policyFolder)
            await cp(join(checkpoint, bestFolder(kept) ?? policyFolder), join(folder, best), {
              recursive: true,
            });
        },
      });
      kept = state;
    },
    restore: (state) => policy.load(join(checkpoint, bestFolder(state) ?? policyFolder)),
    context,
  });
}

/** Success on `dev` if it was played after a pass, and its faults if there are any. */
function devFigures(result: DevResult | undefined): Pick<WarmStartLine, 'devSuccess' | 'figures'> {
  if (result === undefined) return {};
  const faultless = result.faults.count + result.faults.retried === 0;
  return { devSuccess: result.success, ...(faultless ? {} : { figures: faultFigures(result) }) };
}
