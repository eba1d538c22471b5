import { performance } from 'node:perf_hooks';
import { profile, scalar } from '@tensorflow/tfjs-core';
import { createRng } from '../../envs/core/rng.ts';
import type { BackendName } from '../../models/backend/backend.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import type { ChoiceBatch, ChoiceTraining } from '../../models/choice/choice-batch.ts';
import { choiceConfigSchema } from '../../models/choice/choice-config.ts';
import { createChoiceModel, type ChoiceModel } from '../../models/choice/choice-model.ts';
import { estimateChoiceMemory } from '../../models/choice/memory-estimate.ts';
import { objectiveSchema } from '../../models/objectives/objective.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { playedDecisions, trainingOf } from './decisions.ts';
import { decisionShape, sampleBatch } from './sample.ts';

// How long a choice model takes to score and to learn, by backend, and where the time of an update goes.

const decisionsScored = 128;
const decisionsLearned = 512;
const warmUp = 3;
const config = choiceConfigSchema.parse({});
const objective = objectiveSchema.parse({ kind: 'policy', low: 0.2, high: 0.28, entropyWeight: 0.01 });
const step = { learningRate: 1e-3, maxGradNorm: 1 };
const { signal } = new AbortController();
const machine = describeMachine();

interface Decisions {
  readonly scored: ChoiceBatch;
  readonly learned: ChoiceTraining;
}

const distinct: Decisions = {
  scored: sampleBatch(decisionsScored, config.buckets),
  learned: trainingOf(sampleBatch(decisionsLearned, config.buckets)),
};

interface Milliseconds {
  readonly median: number;
  readonly best: number;
  readonly worst: number;
  /** Median of the processor time, which other programs on the machine change less. */
  readonly processorMedian: number;
}

async function measure(rounds: number, work: () => Promise<unknown>): Promise<Milliseconds> {
  const times: number[] = [];
  const processorTimes: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    globalThis.gc?.();
    const from = performance.now();
    const used = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(used);
    if (round < 0) continue;
    times.push(performance.now() - from);
    processorTimes.push((user + system) / 1000);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const sortedProcessor = processorTimes.toSorted((a, b) => a - b);
  const middle = Math.floor(rounds / 2);
  const rounded = (ms: number | undefined): number => Math.round((ms ?? Number.NaN) * 10) / 10;
  return {
    median: rounded(sorted[middle]),
    best: rounded(sorted[0]),
    worst: rounded(sorted.at(-1)),
    processorMedian: rounded(sortedProcessor[middle]),
  };
}

async function update(model: ChoiceModel, { learned }: Decisions): Promise<void> {
  await model.accumulate(learned, objective, signal);
  await model.apply(step);
}

/** Milliseconds by kernel of one update, the longest first, and the most bytes that tensors took. */
async function dissect(
  model: ChoiceModel,
  decisions: Decisions,
): Promise<{ readonly peakBytes: number; readonly kernels: Readonly<Record<string, number>> }> {
  const { kernels, peakBytes } = await profile(async () => {
    await update(model, decisions);
    return scalar(0);
  });
  const totals = new Map<string, number>();
  for (const kernel of kernels) {
    const ms = await kernel.kernelTimeMs;
    totals.set(kernel.name, (totals.get(kernel.name) ?? 0) + (typeof ms === 'number' ? ms : Number.NaN));
  }
  const longestFirst = [...totals]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => [name, Math.round(ms * 10) / 10] as const);
  return { peakBytes, kernels: Object.fromEntries(longestFirst.filter(([, ms]) => ms >= 0.1)) };
}

async function measureBackend(name: BackendName, rounds: number) {
  const backend = await openBackend(name);
  const model = createChoiceModel({ backend, config, rng: createRng(1) });
  const played: Decisions = {
    scored: await playedDecisions(model, decisionsScored),
    learned: trainingOf(await playedDecisions(model, decisionsLearned)),
  };
  const figures = async (decisions: Decisions) => ({
    forward: await measure(4 * rounds, () => model.logits(decisions.scored)),
    update: await measure(rounds, () => update(model, decisions)),
    ...(await dissect(model, decisions)),
  });
  const measured = { household: await figures(played), distinct: await figures(distinct) };
  await model.dispose();
  return { why: backend.why, ...measured };
}

const backends: Readonly<Record<string, unknown>> = {
  wasm: await measureBackend('wasm', 30),
  cpu: await measureBackend('cpu', 3),
};

printReport({
  what: `milliseconds to score ${decisionsScored} decisions, and to accumulate and apply ${decisionsLearned}`,
  ...machine,
  config,
  decisionShape,
  estimatedPeakBytes: estimateChoiceMemory(config, {
    decisions: decisionsLearned,
    rows: decisionsLearned * decisionShape.candidates,
    features: distinct.learned.candidateFeatures.length + distinct.learned.stateFeatures.length,
  }).peak,
  backends,
});
