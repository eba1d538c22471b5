import { z } from 'zod';
import { shopConfig } from '../shop/config.ts';

/** How pages are shown: as the browser has them, or read off them in the shop-v1 mode of that name. */
export const browsedModes = ['page', 'text'] as const;

export type BrowsedMode = (typeof browsedModes)[number];

/** The config of shop-v1, with the observation modes that a browser supports. */
export const shopBrowserConfig = shopConfig.omit({ observationMode: true }).extend({
  observationMode: z
    .enum(browsedModes)
    .default('page')
    .describe(
      "what agents see of a page: roles, names and texts as the browser has them, or shop-v1's mode text, read off the page",
    ),
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
    .describe(
      'program of the browser; Chromium or Chrome of the system, else the one that Playwright has fetched, when left out',
    ),
  patienceMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe('milliseconds that a page may take to open, and that an action may take, before it is a fault'),
});

export type ShopBrowserConfig = z.output<typeof shopBrowserConfig>;
