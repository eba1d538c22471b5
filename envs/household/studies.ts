import type { RecordedStudy } from '../core/presets.ts';

/** The final results of `bench/studies/household-methods.json`. A test checks that both agree. */
export const householdStudies: readonly RecordedStudy[] = [
  {
    date: '2026-11-22',
    commit: '000b44a',
    source: 'bench/studies/household-methods.json',
    panel: {
      name: 'unseen-1000',
      fingerprint: 'sha256:3323db2f66cc3244b52debd2d2f5469e10bfd357233cd4427c72546d32b27ec7',
    },
    seeds: 5,
    success: {
      'GiGPO, grouped by observation': { mean: 0.9564, low: 0.9222, high: 0.9885 },
      'GiGPO, grouped by information': { mean: 0.9792, low: 0.9647, high: 0.9916 },
      'GiGPO, grouped by state': { mean: 0.9662, low: 0.9536, high: 0.9781 },
      GRPO: { mean: 0.9326, low: 0.8739, high: 0.9867 },
      'GiGPO without demonstrations': { mean: 0.1516, low: 0, high: 0.3471 },
      'cloning alone, given the whole time': { mean: 0.3162, low: 0.229, high: 0.4014 },
    },
  },
];
