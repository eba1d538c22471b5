import type { Scalar } from '../../../lab/export/event-file.ts';

/** What `test/golden/report/sample.tfevents` holds: every field width, signs, a long tag, letters beyond ASCII. */
export const sampleScalars: readonly Scalar[] = [
  { tag: 'train/success', step: 0, value: 0.25, wallTime: 1_700_000_000 },
  { tag: 'train/success', step: 127, value: 0.5, wallTime: 1_700_000_001.5 },
  { tag: 'train/success', step: 128, value: 0.8999999761581421, wallTime: 1_700_000_002 },
  { tag: 'train/return', step: 16_384, value: -12.75, wallTime: 1_700_000_003 },
  { tag: 'update/kl', step: 5_000_000_000, value: 1.2345679e-7, wallTime: 1_700_000_004 },
  { tag: `evaluate/${'long/'.repeat(60)}Höhe`, step: 2 ** 40 + 3, value: 3e30, wallTime: 1_700_000_005.25 },
];
