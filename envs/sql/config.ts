import { z } from 'zod';
import { matchings, type Matching } from './reward/match-rows.ts';
import { flawOfWeights } from './reward/reward-terms.ts';

const weight = (of: string, usual: number) => z.number().min(0).max(100).default(usual).describe(of);

const folder = z.string().min(1);
const databases = z
  .array(z.string().min(1))
  .min(1)
  .optional()
  .describe('ids of the databases whose questions are taken; all when left out');

const failing = z
  .enum(['refuse', 'leave-out'])
  .default('refuse')
  .describe(
    'questions whose gold query fails or whose database cannot be used: refused, or left out and counted',
  );

const source = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z
      .literal('generated')
      .describe(
        'generated: databases and questions of our own, made from a seed; spider, bird: a folder of files in that form',
      )
      .optional()
      .transform(() => 'generated' as const),
    seed: z.int().min(0).default(1).describe('seed of databases and questions: another one is other tasks'),
  }),
  z.strictObject({
    kind: z.literal('spider'),
    folder: folder.describe('folder with tables.json, train_spider.json, dev.json and database/ID/ID.sqlite'),
    databases,
    failing,
  }),
  z.strictObject({
    kind: z.literal('bird'),
    folder: folder.describe(
      'folder with dev.json, dev_tables.json and dev_databases/ID/ID.sqlite, or the same of train',
    ),
    databases,
    failing,
  }),
]);

export const sqlConfig = z.strictObject({
  source: source.prefault({ kind: 'generated' }),
  mode: z
    .enum(['steps', 'text'])
    .default('steps')
    .describe(
      'steps: queries can also be built part by part, from parts that are offered; text: they are written',
    ),
  matching: z
    .enum(matchings)
    .optional()
    .describe(
      "when an answer is right: rows, equal rows equally often, in order where the gold query orders, columns in any order; set, as BIRD has it: the set of rows, columns in the gold query's order; by default set for a folder of BIRD and rows for the others",
    ),
  weights: z
    .strictObject({
      execution: weight('paid where the answer gives the rows of the gold query', 1),
      linking: weight(
        "times the likeness of the tables and columns used to the gold query's, of an answer that runs",
        0,
      ),
      ngrams: weight(
        "times the likeness of its runs of one to three tokens to the gold query's, of an answer that runs",
        0,
      ),
      syntax: weight('paid where the answer runs', 0),
      format: weight('paid where the answer is one query and no more', 0),
    })
    .prefault({})
    .superRefine((weights, issues) => {
      const flaw = flawOfWeights(weights);
      if (flaw !== undefined) issues.addIssue({ code: 'custom', message: flaw });
    })
    .describe('what an answer is paid for, after Reasoning-SQL'),
  maxSteps: z.int().min(1).max(1_000).default(20).describe('steps after which the task has failed'),
  shownRows: z.int().min(1).max(1_000).default(10).describe('rows of a result that are shown'),
  maxRows: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('rows after which a query is stopped; an answer with more is wrong'),
  timeMs: z
    .int()
    .min(10)
    .max(600_000)
    .default(5_000)
    .describe('milliseconds that a query may take before it is stopped, which is a result'),
  memoryMegabytes: z
    .int()
    .min(32)
    .max(2_048)
    .default(256)
    .describe('memory that the engine may take for a query, beside the database itself'),
  threads: z.int().min(1).max(64).default(2).describe('threads that run queries; it changes no result'),
});

export type SqlConfig = z.output<typeof sqlConfig>;

/** The rule that decides whether an answer is right. Default: that of the published evaluation. */
export const matchingOf = ({
  source: { kind },
  matching,
}: Pick<SqlConfig, 'source' | 'matching'>): Matching => matching ?? (kind === 'bird' ? 'set' : 'rows');
