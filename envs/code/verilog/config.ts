import { z } from 'zod';
import { rewardKey, sandboxKeys, writingKeys } from '../config.ts';

const { sandbox, allowWeakSandbox, memoryMb, atOnce } = sandboxKeys;

export const verilogConfig = z.strictObject({
  pieces: z
    .int()
    .min(0)
    .max(6)
    .default(0)
    .describe(
      'number of places of a module to fill with listed pieces, for agents that choose; 0: modules are written',
    ),
  ...writingKeys,
  sandbox,
  allowWeakSandbox,
  memoryMb,
  atOnce,
  simulationMs: z
    .int()
    .min(500)
    .max(120_000)
    .default(10_000)
    .describe('maximum milliseconds for compiling a module, and for simulating it'),
  hiddenSteps: z.int().min(16).max(5_000).default(200).describe('number of steps of the hidden simulation'),
  reward: rewardKey,
});

export type VerilogConfig = z.output<typeof verilogConfig>;
