import type { UpdateSettings } from './policy.ts';

/** The policy objective of an update, as far as every kind of policy has it. */
export function policyObjective({
  objective,
  temperature,
  clipLow,
  clipHigh,
  dualClip,
  klWeight,
  entropyWeight,
  importanceCap,
}: UpdateSettings) {
  return {
    kind: 'policy',
    surrogate: { kind: objective.kind, options: { ...objective.options } },
    temperature,
    low: clipLow,
    high: clipHigh,
    ...(dualClip === undefined ? {} : { dualClip }),
    klWeight,
    entropyWeight,
    importanceCap,
  } as const;
}
