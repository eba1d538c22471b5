import { z } from 'zod';
import { policyKinds } from './domain.ts';
import { userConfig } from '../engines/chat/model-config.ts';

/** The settings of `tau2-v1`, beside those of the kit. */
export const tau2Settings = {
  data: z
    .string()
    .default('')
    .describe(
      "the folder with τ²-bench's domains, data/tau2/domains of its repository, or the repository itself",
    ),
  domain: z
    .enum(['mock', 'retail', 'airline', 'telecom'])
    .default('retail')
    .describe(
      'mock: tasks of users, for trying; retail: orders of a shop; airline: reservations; telecom: mobile phones, which users handle',
    ),
  tasks: z
    .string()
    .regex(/^[^/\\]+\.json$/, 'must be the name of a JSON file in the folder of the domain')
    .default('tasks.json')
    .describe('the file with the tasks, in the folder of the domain; its split is split_FILE'),
  whole: z
    .boolean()
    .default(false)
    .describe('plays all tasks as the held-out panel base, as published results do, and has no panel train'),
  split: z
    .string()
    .min(1)
    .default('base')
    .describe(
      'with whole: the split of the tasks that is played, such as base, or small and full of telecom',
    ),
  policy: z
    .enum(policyKinds)
    .default('manual')
    .describe('telecom: how the policy describes the solution of technical problems'),
  dev: z
    .int()
    .min(0)
    .max(1_000)
    .default(10)
    .describe('number of tasks of train that form dev, at most a quarter'),
  judged: z
    .enum(['exclude', 'communicate', 'ignore'])
    .default('exclude')
    .describe(
      'tasks whose reward needs a model that judges NL assertions: exclude leaves them out; communicate grades them by their communicate_info instead; ignore grades them by their other criteria',
    ),
  user: userConfig('says all at once and agrees, which is not the published protocol'),
} as const;

const settings = z.object(tau2Settings);
export type Tau2Config = z.output<typeof settings>;
