import type { RecordedStudy } from './recorded.ts';

/** The end of `bench/studies/household-methods.json`; a test holds the two together. */
export const householdStudies: readonly RecordedStudy[] = [{
  date: '2026-11-21',
  commit: 'd3b8531',
  source: 'bench/studies/household-methods.json',
  panel: { name: 'unseen-1000', fingerprint: 'sha256:3323db2f66cc3244b52debd2d2f5469e10bfd357233cd4427c72546d32b27ec7' },
  seeds: 5,
  success: {
    'GiGPO, grouped by observation': { mean: 0.975, low: 0.9662, high: 0.9826 },
    'GiGPO, grouped by information': { mean: 0.9682, low: 0.9546, high: 0.9814 },
    'GiGPO, grouped by state': { mean: 0.9574, low: 0.9468, high: 0.9678 },
    'GRPO': { mean: 0.9344, low: 0.9194, high: 0.9472 },
    'GiGPO without demonstrations': { mean: 0.0008, low: 0, high: 0.0024 },
    'cloning alone, given the whole time': { mean: 0.2946, low: 0.2452, high: 0.346 },
  },
}];
