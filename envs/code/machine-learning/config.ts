import { z } from 'zod';
import { rewardKeys, sandboxKeys, writingKeys } from '../config.ts';

const { sandbox, allowWeakSandbox, memoryMb, outputBytes, atOnce } = sandboxKeys;

export const machineLearningConfig = z.strictObject({
  pieces: z
    .int()
    .min(0)
    .max(4)
    .default(0)
    .describe(
      'number of settings of the training script to choose from lists, for agents that choose; 0: the script is written',
    ),
  ...writingKeys,
  sandbox,
  allowWeakSandbox,
  memoryMb,
  outputBytes,
  atOnce,
  runMs: z
    .int()
    .min(200)
    .max(300_000)
    .default(10_000)
    .describe(
      'milliseconds of processor time for a run of the script; five times that for waiting or sleeping',
    ),
  enough: z
    .number()
    .min(0.1)
    .max(1)
    .default(0.9)
    .describe("share of the distance from the first script's score to the known one's that solves the task"),
  reward: rewardKeys.prefault({}),
});

export type MachineLearningConfig = z.output<typeof machineLearningConfig>;
