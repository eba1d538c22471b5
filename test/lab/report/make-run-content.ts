import { wilsonInterval } from '../../../trainers/results/intervals.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import type { MetricsLine, TimingsLine } from '../../../trainers/run/metrics-schema.ts';
import { makeFacts, makeGroups, makePanel, type Ending } from '../../trainers/evaluate/make-trajectories.ts';
import { fingerprint } from '../../trainers/run/make-run.ts';

/** A warm start of two epochs, `iterations` iterations, an evaluation after every fifth; `name` is put wherever a name fits. */
export function makeMetrics(iterations: number, name = ''): readonly MetricsLine[] {
  const lines: MetricsLine[] = [
    { kind: 'warm-start', epoch: 1, loss: 1.5 },
    { kind: 'warm-start', epoch: 2, loss: 0.75, devSuccess: wilsonInterval(6, 12) },
  ];
  for (let iteration = 1; iteration <= iterations; iteration += 1) {
    lines.push({
      kind: 'iteration',
      iteration,
      environmentSteps: 100 * iteration,
      episodes: 8 * iteration,
      success: 0.5,
      return: 0.25,
      score: 0.5,
      episodeLength: 12,
      figures: {
        'update/entropy': 1 / iteration,
        'update/kl': 0.01,
        'update/clip-fraction': 0.125,
        'update/largest-ratio': 1.5,
        'anchor/observation/singleton-share': 0.25,
        'anchor/information/singleton-share': 0.5,
        'anchor/state/singleton-share': 0.75,
        'credit/step-share': 0.5,
        'rollout/repeated-rate': 0.0625,
        [`other/figure${name}`]: iteration,
      },
    });
    if (iteration % 5 === 0) lines.push(evaluationLine(iteration, name));
  }
  return lines;
}

function evaluationLine(iteration: number, name: string): MetricsLine {
  return {
    kind: 'evaluation',
    iteration,
    environmentSteps: 100 * iteration,
    panel: `dev${name}`,
    fingerprint,
    agent: `choice${name}`,
    decoding: { kind: 'greedy' },
    success: wilsonInterval(9, 12),
    score: { mean: 0.75, low: 0.5, high: 1 },
    byFamily: { [`heat${name}`]: { ...wilsonInterval(3, 6), tasks: 6 } },
  };
}

export function makeTimings(iterations: number, name = ''): readonly TimingsLine[] {
  return Array.from({ length: iterations }, (_, index) => ({
    kind: 'iteration',
    iteration: index + 1,
    seconds: 2,
    phases: { rollout: 1, [`update${name}`]: 0.5 },
    environmentSteps: 100,
  }));
}

export function makeResult(
  agent: string,
  kind: EvaluationResult['shown']['kind'],
  name = '',
): EvaluationResult {
  const endings = Array.from({ length: 6 }, (_, task): Ending[] => [
    task % 3 === 0 ? 'failed' : task === 1 ? 'faulted' : 'solved',
  ]);
  const panel = { ...makePanel(6), env: 'maze-v1' };
  const result = summarise(
    [{ seed: 1, groups: makeGroups(endings) }],
    makeFacts(6, {
      agent: `${agent}${name}`,
      panel,
      shown: { ...makeFacts(6).shown, kind, history: `all${name}`, checkpoint: `last${name}` },
    }),
  );
  return { ...result, env: `maze-v1${name}`, panel: { ...result.panel, name: `dev${name}` } };
}
