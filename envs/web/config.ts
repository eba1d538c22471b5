import { z } from 'zod';
import { candidateKinds } from './candidates.ts';

/** The reward for a page's outcome. */
export const rewardKinds = ['raw', 'timed', 'binary'] as const;
export type RewardKind = (typeof rewardKinds)[number];

export const webConfig = z.strictObject({
  pages: z
    .string()
    .min(1)
    .optional()
    .describe(
      "folder of pages by the MiniWoB++ convention, such as the original's html/miniwob; default: the built-in pages",
    ),
  tasks: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('names of the pages to play, such as click-button; default: all'),
  dataMode: z
    .string()
    .min(1)
    .optional()
    .describe(
      "data mode of the core of `pages`, which selects the distribution of problems, such as test; default: the core's own",
    ),
  curriculum: z
    .boolean()
    .default(false)
    .describe(
      'adds train tasks of the built-in pages that start with a third or two thirds of the work done, as families of their own',
    ),
  reward: z
    .enum(rewardKinds)
    .default('raw')
    .describe(
      "reward at the end: raw, the page's from -1 to 1; timed, discounted by the page's time; binary, 1 where raw is above 0, else 0",
    ),
  candidates: z
    .array(z.enum(candidateKinds))
    .min(1)
    .default(['click', 'type', 'clear', 'select', 'press'])
    .describe('kinds of actions to list for agents that choose; all kinds are accepted'),
  actionMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(500)
    .describe("milliseconds that the page's clock advances with each action"),
  maxSteps: z
    .int()
    .min(1)
    .max(10_000)
    .default(150)
    .describe(
      'number of steps after which the task fails; built-in pages fail earlier, after somewhat more than their solutions need',
    ),
  viewport: z
    .strictObject({
      width: z.int().min(50).max(4096).default(800).describe('CSS pixels'),
      height: z.int().min(50).max(4096).default(600).describe('CSS pixels'),
    })
    .prefault({})
    .describe('size of the window'),
  screenshots: z
    .boolean()
    .default(false)
    .describe('add a picture of the window to observations, PNG in base64'),
  patienceMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(15_000)
    .describe('milliseconds that a page may take for an action before the episode is a fault'),
  contexts: z
    .int()
    .min(1)
    .max(256)
    .default(8)
    .describe('concurrent episodes in the browser, each in its own process; does not affect results'),
  browserPath: z
    .string()
    .min(1)
    .optional()
    .describe("program of Chromium or Chrome; default: the system's, else Playwright's"),
});

export type WebConfig = z.output<typeof webConfig>;
