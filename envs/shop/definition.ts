import { z } from 'zod';
import { defineEnv } from '../core/env.ts';
import { shopConfig, type ShopConfig } from './config.ts';
import { shopBench, shopRecipes } from './presets.ts';
import { shopText } from './words.ts';

export const shopEnv = defineEnv({
  id: 'shop-v1',
  summary:
    'a web shop by the rules of WebShop: search, compare, choose options and buy what an instruction asks for',
  config: shopConfig,
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: shopText,
  recipes: shopRecipes,
  bench: shopBench,
  catalogue: {
    family: 'shop',
    tags: ['text', 'step-wise', 'hidden-information', 'generated'],
    licence: 'Apache-2.0',
  },
  unchecked: {
    secrets:
      'what a goal asks for may stand on any page; a test with canaries shows that no page has it from the goal',
  },
  turnLimit: ({ maxSteps }: ShopConfig) => maxSteps,
  open: async (config: ShopConfig, context) => {
    // tables and tagger are loaded only to play, not by every command
    const { openInContext } = await import('./open-configured.ts');
    return openInContext(config, context);
  },
});
