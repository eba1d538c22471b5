import { z } from 'zod';
import { matchings } from '../engines/questions/answers/exact-match.ts';
import { questionFiles } from '../engines/questions/files/open-question-files.ts';
import { mostWordings } from '../engines/questions/world/world-graph.ts';
import { servedModelSchema } from './models/served-model.ts';
import { costScaleSchema } from './reward/cost-reward.ts';

export const routeConfig = z.strictObject({
  models: z
    .array(servedModelSchema)
    .min(1)
    .max(32)
    .refine(
      (models) => new Set(models.map(({ name }) => name.toLowerCase())).size === models.length,
      'two models have the same name',
    )
    .optional()
    .describe('models of servers that can be called; default: simulated ones, other ones in each panel'),
  pool: z.int().min(3).max(8).default(5).describe('number of simulated models that a task offers'),
  world: z
    .strictObject({
      seed: z.int().min(0).default(1).describe('seed of the facts, the questions and the simulated models'),
      wordings: z
        .int()
        .min(1)
        .max(mostWordings)
        .default(2)
        .describe('wordings of each question, from the plainest'),
      hops: z
        .array(z.int().min(1).max(4))
        .min(1)
        .max(20)
        .default([1, 2, 3])
        .describe('facts that the questions need; they take turns'),
    })
    .prefault({})
    .describe('the generated world, which questions are about unless there is a file of them'),
  ...questionFiles,
  mode: z
    .enum(['choices', 'text'])
    .default('choices')
    .describe('choices: actions are also listed, made of what was shown; text: they are only written'),
  alpha: z
    .number()
    .min(0)
    .max(0.95)
    .default(0.3)
    .describe('weight of the reward of cost; the answer has the rest'),
  cost: costScaleSchema.prefault({}).describe('costs between which the reward of cost falls from 1 to 0'),
  metric: z
    .enum(['exact', 'f1'])
    .default('exact')
    .describe('what the answer is paid by: whether it is right, or the F1 of its words'),
  matching: z
    .enum(matchings)
    .default('exact')
    .describe('rule of a right answer: equal, or containing a gold answer'),
  format: z
    .enum(['free', 'router-r1'])
    .default('free')
    .describe(
      'router-r1: an episode that breaks the format of Router-R1 earns -1 and fails, whatever its answer; free: any form',
    ),
  maxRoutes: z
    .int()
    .min(1)
    .max(100)
    .default(8)
    .describe('calls of models in an episode, at most; then only an answer is left'),
  maxSteps: z.int().min(1).max(1_000).default(12).describe('number of steps after which the task fails'),
  replyCharacters: z
    .int()
    .min(50)
    .max(100_000)
    .default(2_000)
    .describe('characters of a reply that are shown'),
});

export type RouteConfig = z.output<typeof routeConfig>;
