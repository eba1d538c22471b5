import type { RecordedStudy } from './recorded.ts';

/** The end of `bench/studies/household-methods.json`; a test holds the two together. */
export const householdStudies: readonly RecordedStudy[] = [{
  date: '2026-11-21',
  commit: 'c807855',
  source: 'bench/studies/household-methods.json',
  panel: { name: 'unseen-1000', fingerprint: 'sha256:3323db2f66cc3244b52debd2d2f5469e10bfd357233cd4427c72546d32b27ec7' },
  seeds: 5,
  success: {
    'GiGPO, grouped by observation': { mean: 0.9604, low: 0.9206, high: 0.9868 },
    'GiGPO, grouped by information': { mean: 0.9724, low: 0.958, high: 0.9856 },
    'GiGPO, grouped by state': { mean: 0.9608, low: 0.9506, high: 0.97 },
    'GRPO': { mean: 0.925, low: 0.9016, high: 0.9458 },
    'GiGPO without demonstrations': { mean: 0.0008, low: 0, high: 0.0024 },
    'cloning alone, given the whole time': { mean: 0.2946, low: 0.2452, high: 0.346 },
  },
}];
