import type { UpdateSettings } from './policy.ts';

/** The clipped objective that an update's settings ask for, as far as every kind of policy has it. */
export function clippedObjective({
  temperature,
  clipLow,
  clipHigh,
  dualClip,
  klWeight,
  entropyWeight,
  importanceCap,
}: UpdateSettings) {
  return {
    kind: 'clipped',
    temperature,
    low: clipLow,
    high: clipHigh,
    ...(dualClip === undefined ? {} : { dualClip }),
    klWeight,
    entropyWeight,
    importanceCap,
  } as const;
}
