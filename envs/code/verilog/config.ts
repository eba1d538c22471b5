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
      'places of a module to be put together of listed pieces, for those who choose; 0: modules are written',
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
    .describe('milliseconds for compiling a module, and for simulating it'),
  hiddenSteps: z.int().min(16).max(5_000).default(200).describe('steps of the hidden simulation'),
  reward: rewardKey,
});

export type VerilogConfig = z.output<typeof verilogConfig>;
