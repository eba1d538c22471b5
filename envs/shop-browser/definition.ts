import { z } from 'zod';
import { defineEnv } from '../core/env.ts';
import { familyColumns } from '../kit/bench-columns.ts';
import { shopBench } from '../shop/presets.ts';
import { shopText } from '../shop/words.ts';
import { shopBrowserConfig, type ShopBrowserConfig } from './config.ts';

/** The families of generated goals: the departments of products. */
const departments = {
  beauty: 'beauty',
  electronics: 'electronics',
  fashion: 'fashion',
  garden: 'garden',
  grocery: 'grocery',
};

export const shopBrowserEnv = defineEnv({
  id: 'shop-browser-v1',
  summary:
    'shop-v1 as web pages in headless Chromium: the same tasks, actions, keys and rewards, done on real elements',
  config: shopBrowserConfig,
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: shopText,
  bench: {
    panels: ['test'],
    columns: [...familyColumns(departments), ...shopBench.columns],
    prompt: { by: 'observationMode', prompts: { text: shopBench.prompt.prompts.text, page: 'plain' } },
    takesRunsOf: ['shop-v1'],
  },
  catalogue: {
    family: 'shop',
    tags: ['browser', 'step-wise', 'hidden-information', 'generated'],
    licence: 'Apache-2.0',
    needs: ['browser'],
  },
  unchecked: {
    secrets:
      'what a goal asks for may stand on any page; shop-v1, whose pages these are, has the test with canaries',
    experts: 'the searcher is that of shop-v1, and plays none of the few episodes here',
  },
  turnLimit: ({ maxSteps }: ShopBrowserConfig) => maxSteps,
  open: async (config: ShopBrowserConfig, context) => {
    // driver and tables are loaded only to play, not by every command
    const { openShopBrowser } = await import('./open-shop-browser.ts');
    return openShopBrowser(config, context);
  },
});
