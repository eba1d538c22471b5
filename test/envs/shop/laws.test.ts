import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { assertEnv, checkEnv } from '../../../envs/check-env.ts';
import { defineEnv } from '../../../envs/core/env.ts';
import { observationModes } from '../../../envs/shop/observation.ts';
import { openCorner } from './corner-shop.ts';
import { shopText } from '../../../envs/shop/words.ts';

const cornerShop = defineEnv({
  id: 'corner-shop-v1',
  summary: 'the shop of the tests',
  config: z.strictObject({
    observationMode: z.enum(observationModes).default('text'),
    strict: z.boolean().default(false),
    showAttributes: z.boolean().default(false),
  }),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: shopText,
  turnLimit: () => 15,
  open: async (config) => openCorner(config),
});

describe('the contract', () => {
  it.each(observationModes)('holds in mode %s', async (observationMode) => {
    const report = await checkEnv(cornerShop, { config: { observationMode } });
    console.log(report.findings.slice(0, 5), report.notes, report.unchecked);
  });
});
