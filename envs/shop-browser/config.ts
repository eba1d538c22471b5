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
      "how agents see a page: roles, names and texts of the browser, or shop-v1's mode text, read from the page",
    ),
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
    .describe("program of the browser; default: the system's Chromium or Chrome, else Playwright's"),
  patienceMs: z
    .int()
    .min(100)
    .max(600_000)
    .default(30_000)
    .describe('milliseconds that opening a page, or an action, may take before it is a fault'),
});

export type ShopBrowserConfig = z.output<typeof shopBrowserConfig>;
