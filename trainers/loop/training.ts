import { join } from 'node:path';
import type { IterationLine } from '../run/metrics-schema.ts';
import { describeFault, RunError } from '../../envs/core/errors.ts';
import { percentOf } from '../results/number-words.ts';
import type { EvaluationResult } from '../results/result.ts';
import { markBest, pruneCheckpoints, readBest } from '../run/checkpoint-store.ts';
import {
  iterationName,
  policyFolder,
  referenceName,
  storeName,
  warmStartName,
} from '../run/checkpoint-names.ts';
import { evaluateOnDev, evaluationLine } from './panels/dev-evaluation.ts';
import { allFaulted, firstFault, isExcessive, shareOfFaults, worldFailed } from './health/faults.ts';
import { isInterruption } from './interruption.ts';
import { learnFrom, type PlayedIteration } from './iterations/iteration.ts';
import type { TrainProgress } from './progress.ts';
import { recordMetrics } from './record-metrics.ts';
import { RolloutsAhead } from './iterations/rollouts-ahead.ts';
import type { TrainingRun } from './setup/training-setup.ts';
import { describeSamplerGap, findSamplerGap } from './health/sampler-gap.ts';
import { describeStall, findStalls, stallLength } from './health/stalls.ts';
import { learnerBytes, saveLearners } from '../critics/gather-evidence.ts';
import { VersionLog } from './health/staleness.ts';
import { factsOf, type TrainState } from './train-state.ts';

/** Contents of a checkpoint besides the state; without `fill` it is the policy. */
export interface CheckpointExtras {
  readonly counters: Readonly<Record<string, number>>;
  readonly bytes: number;
  readonly fill: (folder: string) => Promise<void>;
}

/** Share of an iteration's progress that its rollouts count for; the update is the rest. */
const rolloutShare = 0.9;

const labelOf = (iteration: number, iterations: number): string => `iteration ${iteration} of ${iterations}`;

/** A running training: its state, its reports and its checkpoints. */
export class Training {
  readonly #session: TrainingRun;
  #state: TrainState;
  #checkpointed = -1;
  readonly #recent: IterationLine[] = [];
  #last: Pick<TrainProgress, 'success' | 'return' | 'anchorShare' | 'stepsPerSecond'> = {
    success: undefined,
    return: undefined,
    anchorShare: undefined,
    stepsPerSecond: undefined,
  };

  constructor(session: TrainingRun, state: TrainState) {
    this.#session = session;
    this.#state = state;
  }

  get state(): TrainState {
    return this.#state;
  }

  report(
    progress: Pick<TrainProgress, 'phase' | 'label' | 'done'> & { readonly warning?: string | undefined },
  ): void {
    const { iteration, environmentSteps } = this.#state;
    const { iterations } = this.#session.config;
    this.#session.onProgress({
      warning: undefined,
      ...progress,
      ...this.#last,
      iteration,
      iterations,
      environmentSteps,
    });
  }

  /** Plays `dev` and records its faults. */
  async evaluate(label: string): Promise<EvaluationResult> {
    const result = await evaluateOnDev(this.#session, label).catch(async (thrown: unknown) => {
      // the run resumes from here once the env is fixed
      if (RunError.is(thrown)) await this.#saveIterationCheckpoint();
      throw thrown;
    });
    const { share, count } = result.faults;
    this.#state = { ...this.#state, devFaults: Math.max(this.#state.devFaults, share) };
    if (isExcessive(share)) {
      const causes = new Set(
        result.episodes.flatMap(({ outcome, cause }) => (outcome === 'faulted' ? [cause] : [])),
      );
      const warning = `${count} of ${result.episodes.length} episodes (${percentOf(share)}) faulted on ${result.panel.name}, ${label} (${[...causes].join(', ')}); they count as failures`;
      this.report({ phase: 'evaluation', label, done: 1, warning });
    }
    return result;
  }

  /** Plays `dev` and records the result. */
  async evaluateOnDev(label: string): Promise<void> {
    const { context } = this.#session;
    const began = context.now();
    const result = await this.evaluate(label);
    const { iteration, environmentSteps } = this.#state;
    await recordMetrics(this.#session, evaluationLine(result, { iteration, environmentSteps }), {
      kind: 'evaluation',
      iteration,
      seconds: (context.now() - began) / 1000,
      phases: {},
    });
    this.#state = { ...this.#state, evaluated: iteration, devSuccess: result.success.rate };
    await this.#noteBest();
  }

  /**
   * Runs rollout, credit and update until the config's number of iterations is reached.
   *
   * @param done the iterations so far, for reports about consecutive iterations
   */
  async iterate(done: readonly IterationLine[]): Promise<void> {
    this.#recent.push(...done.slice(-stallLength));
    const { config, context } = this.#session;
    try {
      const { iteration, evaluated } = this.#state;
      if (config.iterations > 0)
        this.report({
          phase: 'training',
          label: `after iteration ${iteration}`,
          done: iteration / config.iterations,
        });
      // Interrupted between an iteration and its evaluation: evaluate first.
      if (evaluated < iteration && this.#isDue(config.evaluation.every))
        await this.evaluateOnDev(`iteration-${iteration}`);
      await this.#noteBest(); // or killed between a checkpoint and the record that it is the best
      await this.#iterateToTheEnd();
    } catch (thrown) {
      if (isInterruption(thrown, context)) await this.#saveIterationCheckpoint();
      throw thrown;
    }
    await this.#saveIterationCheckpoint();
  }

  async #iterateToTheEnd(): Promise<void> {
    const { config, context, policy } = this.#session;
    const versions = new VersionLog(this.#state.iteration, policy.version);
    await using ahead = new RolloutsAhead(this.#session, (iteration, done) =>
      this.#reportRollouts(iteration, done),
    );
    while (this.#state.iteration < config.iterations) {
      context.signal.throwIfAborted();
      await this.#iterateOnce(ahead, versions);
    }
  }

  /** Reports only the iteration that is awaited, not those that run ahead. */
  #reportRollouts(iteration: number, done: number): void {
    const { iterations } = this.#session.config;
    const before = this.#state.iteration;
    if (iteration === before + 1)
      this.report({
        phase: 'training',
        label: labelOf(iteration, iterations),
        done: (before + rolloutShare * done) / iterations,
      });
  }

  async #iterateOnce(ahead: RolloutsAhead, versions: VersionLog): Promise<void> {
    const { config, context } = this.#session;
    const began = context.now();
    const before = this.#state;
    const number = before.iteration + 1;
    const label = labelOf(number, config.iterations);
    const played = await ahead.take(before);
    const waited = (context.now() - began) / 1000;
    await this.#assertWorldHolds(label, played);
    const { line, state, anchorShare, phases } = await learnFrom(this.#session, before, {
      ...played,
      versions,
    });
    this.#state = state;
    const seconds = (context.now() - began) / 1000;
    const environmentSteps = state.environmentSteps - before.environmentSteps;
    this.#last = {
      success: line.success,
      return: line.return,
      anchorShare,
      stepsPerSecond: environmentSteps / seconds,
    };
    await recordMetrics(this.#session, line, {
      kind: 'iteration',
      iteration: number,
      seconds,
      phases: { rollout: waited, ...phases },
      environmentSteps,
    });
    if (this.#isResetDue()) await this.#resetReference();
    this.report({
      phase: 'training',
      label,
      done: number / config.iterations,
      warning: this.#warning(before, played),
    });
    this.#sayWhatIsAmiss(line, label);
    if (this.#isDue(config.evaluation.every)) await this.evaluateOnDev(`iteration-${number}`);
    if (this.#isDue(config.checkpoints.every)) await this.#saveIterationCheckpoint();
  }

  #isResetDue(): boolean {
    const {
      iterations,
      update: { klWeight, referenceEvery },
    } = this.#session.config;
    const { iteration } = this.#state;
    return (
      klWeight > 0 &&
      referenceEvery !== undefined &&
      iteration % referenceEvery === 0 &&
      iteration < iterations
    );
  }

  /** ProRL (Liu et al. 2025, section 2.3). The checkpoint with the reference is kept until the next reset. */
  async #resetReference(): Promise<void> {
    const { policy } = this.#session;
    await policy.resetOptimiser();
    await policy.keepReference();
    await this.#saveIterationCheckpoint();
  }

  /** If every episode faults there is nothing to learn: the run stops with all finished work. */
  async #assertWorldHolds(label: string, { groups }: PlayedIteration): Promise<void> {
    if (!allFaulted(groups)) return;
    await this.#saveIterationCheckpoint();
    throw await worldFailed(this.#session, { what: label, groups });
  }

  /** A warning when the share of faults since the start of the run exceeds the limit. */
  #warning(before: TrainState, { groups }: PlayedIteration): string | undefined {
    const share = shareOfFaults(this.#state);
    if (!isExcessive(share) || isExcessive(shareOfFaults(before))) return undefined;
    const fault = firstFault(groups);
    const because = fault === undefined ? '' : `; in the first of this iteration ${describeFault(fault)}`;
    return `${this.#state.faulted} of ${this.#state.episodes} training episodes (${percentOf(share)}) have faulted so far${because}; they teach nothing`;
  }

  /** Reports problems visible in the last iterations. */
  #sayWhatIsAmiss(line: IterationLine, label: string): void {
    this.#recent.push(line);
    if (this.#recent.length > stallLength + 1) this.#recent.shift();
    const { config } = this.#session;
    for (const warning of [this.#stall(line), this.#samplerGap(line)]) {
      if (warning !== undefined)
        this.report({ phase: 'training', label, done: line.iteration / config.iterations, warning });
    }
  }

  /** A stall is reported once, when it is too long to be chance. */
  #stall(line: IterationLine): string | undefined {
    const stall = findStalls(this.#recent).at(-1);
    if (stall === undefined || stall.last - stall.first >= stallLength || stall.last !== line.iteration)
      return undefined;
    return describeStall(stall, this.#session.config);
  }

  /** Reported again only after some iterations without one. */
  #samplerGap(line: IterationLine): string | undefined {
    const gap = findSamplerGap(this.#recent, this.#session.config);
    return gap?.first === line.iteration ? describeSamplerGap(gap, this.#session.config) : undefined;
  }

  /** True every so many iterations and after the last. */
  #isDue(every: number): boolean {
    return this.#state.iteration % every === 0 || this.#state.iteration === this.#session.config.iterations;
  }

  /**
   * Records a new best on `dev` if the current weights are better. The final checkpoint is the last one
   * regardless.
   */
  async #noteBest(): Promise<void> {
    const { run, panels } = this.#session;
    const { iteration, evaluated, devSuccess } = this.#state;
    if (iteration === 0 || evaluated !== iteration) return;
    const best = await readBest(run.paths.checkpoints);
    if (best !== undefined && best.rate >= devSuccess) return;
    await this.#saveIterationCheckpoint();
    await markBest(run.paths.checkpoints, {
      name: iterationName(iteration),
      panel: panels.dev.name,
      fingerprint: panels.dev.fingerprint,
      rate: devSuccess,
    });
  }

  async #saveIterationCheckpoint(): Promise<void> {
    const { config, run } = this.#session;
    if (this.#state.iteration === 0 || this.#checkpointed === this.#state.iteration) return;
    await this.saveCheckpoint(iterationName(this.#state.iteration));
    this.#checkpointed = this.#state.iteration;
    await pruneCheckpoints(run.paths.checkpoints, config.checkpoints.keep, [
      warmStartName,
      referenceName(config.update.referenceEvery, this.#state.iteration),
    ]);
  }

  /** Saves the state with the policy, or with what `extras` give. */
  async saveCheckpoint(name: string, extras?: CheckpointExtras): Promise<void> {
    const { config, run, store, policy, evidence } = this.#session;
    await store.flush();
    const facts = factsOf(this.#state);
    await run.saveCheckpoint(name, {
      facts: {
        iteration: this.#state.iteration,
        seed: config.seed,
        ...facts,
        counters: { ...facts.counters, ...extras?.counters },
        trajectories: { [storeName]: store.position },
      },
      bytes: (extras?.bytes ?? policy.checkpointBytes) + learnerBytes(evidence),
      fill: async (folder) => {
        await (extras?.fill ?? ((into: string) => policy.save(join(into, policyFolder))))(folder);
        await saveLearners(evidence, folder);
      },
    });
  }
}
