import type { RecordedStudy } from './recorded.ts';

/** The end of `bench/studies/household-methods.json`; a test holds the two together. */
export const householdStudies: readonly RecordedStudy[] = [{
  date: '2026-11-21',
  commit: '79a4c97',
  source: 'bench/studies/household-methods.json',
  panel: { name: 'unseen-1000', fingerprint: 'sha256:3323db2f66cc3244b52debd2d2f5469e10bfd357233cd4427c72546d32b27ec7' },
  seeds: 5,
  success: {
    'GiGPO, grouped by observation': { mean: 0.963, low: 0.9448, high: 0.9794 },
    'GiGPO, grouped by information': { mean: 0.9808, low: 0.9722, high: 0.9878 },
    'GiGPO, grouped by state': { mean: 0.9592, low: 0.9318, high: 0.9768 },
    'GRPO': { mean: 0.935, low: 0.9162, high: 0.952 },
    'GiGPO without demonstrations': { mean: 0.0008, low: 0, high: 0.0024 },
    'cloning alone, given the whole time': { mean: 0.2946, low: 0.2452, high: 0.346 },
  },
}];
