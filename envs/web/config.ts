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
      'folder of pages by the MiniWoB++ convention, such as html/miniwob of the original; our own pages when left out',
    ),
  tasks: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('names of the pages that are played, such as click-button; all of the folder when left out'),
  dataMode: z
    .string()
    .min(1)
    .optional()
    .describe(
      'which of their distributions the pages of `pages` draw problems from, such as test: what their core calls the data mode; theirs when left out',
    ),
  curriculum: z
    .boolean()
    .default(false)
    .describe(
      'gives train tasks of our pages that begin with a third or two thirds of the work done, as families of their own',
    ),
  reward: z
    .enum(rewardKinds)
    .default('raw')
    .describe(
      "what the end pays: raw, the page's reward from -1 to 1; timed, less of it the more of its time went by; binary, 1 where raw is above 0, else 0",
    ),
  candidates: z
    .array(z.enum(candidateKinds))
    .min(1)
    .default(['click', 'type', 'clear', 'select', 'press'])
    .describe('kinds of actions offered to those who choose among actions; all kinds are taken'),
  actionMs: z
    .int()
    .min(0)
    .max(60_000)
    .default(500)
    .describe("milliseconds of the page's own clock that go by with each action, and stand still else"),
  maxSteps: z
    .int()
    .min(1)
    .max(10_000)
    .default(150)
    .describe(
      'steps after which the task has failed; our own pages fail before, after some more than their solutions need',
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
    .describe('observations have a picture of the window, PNG in base64'),
  patienceMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(15_000)
    .describe('milliseconds that a page may take to answer an action before its episode is a fault'),
  contexts: z
    .int()
    .min(1)
    .max(256)
    .default(8)
    .describe('episodes in the browser at once, each a process of its own; it changes no result'),
  browserPath: z
    .string()
    .min(1)
    .optional()
    .describe("program of a Chromium or Chrome; the system's, else Playwright's own, when left out"),
});

export type WebConfig = z.output<typeof webConfig>;
