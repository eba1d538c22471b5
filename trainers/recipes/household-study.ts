import type { RecordedStudy } from './recorded.ts';

/** The end of `bench/studies/household-methods.json`; a test holds the two together. */
export const householdStudies: readonly RecordedStudy[] = [{
  date: '2026-11-22',
  commit: '000b44a',
  source: 'bench/studies/household-methods.json',
  panel: { name: 'unseen-1000', fingerprint: 'sha256:3323db2f66cc3244b52debd2d2f5469e10bfd357233cd4427c72546d32b27ec7' },
  seeds: 5,
  success: {
    'GiGPO, grouped by observation': { mean: 0.9564, low: 0.933, high: 0.9764 },
    'GiGPO, grouped by information': { mean: 0.9792, low: 0.9682, high: 0.9872 },
    'GiGPO, grouped by state': { mean: 0.9662, low: 0.9562, high: 0.9754 },
    'GRPO': { mean: 0.9326, low: 0.8916, high: 0.9594 },
    'GiGPO without demonstrations': { mean: 0.1516, low: 0.0304, high: 0.2774 },
    'cloning alone, given the whole time': { mean: 0.3162, low: 0.2592, high: 0.3696 },
  },
}];
