import { z } from 'zod';
import { defineEnv } from '../core/env.ts';
import { shopText } from '../shop/words.ts';
import { shopBrowserConfig, type ShopBrowserConfig } from './config.ts';

export const shopBrowserEnv = defineEnv({
  id: 'shop-browser-v1',
  summary:
    'shop-v1 as web pages in headless Chromium: the same tasks, actions, keys and rewards, done on real elements',
  config: shopBrowserConfig,
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: shopText,
  turnLimit: ({ maxSteps }: ShopBrowserConfig) => maxSteps,
  open: async (config: ShopBrowserConfig, context) => {
    const { openShopBrowser } = await import('./open-shop-browser.ts'); // the browser's driver and the shop's tables are read by who shops, not by every command
    return openShopBrowser(config, context);
  },
});
