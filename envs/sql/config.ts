import { z } from 'zod';
import { matchings, type Matching } from './reward/match-rows.ts';
import { flawOfWeights } from './reward/reward-terms.ts';

const weight = (of: string, usual: number) => z.number().min(0).max(100).default(usual).describe(of);

const folder = z.string().min(1);
const databases = z
  .array(z.string().min(1))
  .min(1)
  .optional()
  .describe('ids of the databases to use; default: all');

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
        'generated: databases and questions made from a seed; spider, bird: a folder of files in that format',
      )
      .optional()
      .transform(() => 'generated' as const),
    seed: z.int().min(0).default(1).describe('seed of databases and questions'),
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
    .describe('steps: queries can also be built from listed parts; text: they are only written'),
  matching: z
    .enum(matchings)
    .optional()
    .describe(
      "rule of a right answer: rows, equal rows equally often, in order where the gold query orders, columns in any order; set, as in BIRD, the set of rows with columns in the gold query's order; default: set for BIRD, else rows",
    ),
  weights: z
    .strictObject({
      execution: weight('paid where the answer gives the rows of the gold query', 1),
      linking: weight(
        "times the similarity of the tables and columns used to the gold query's, for an answer that runs",
        0,
      ),
      ngrams: weight(
        "times the similarity of its runs of one to three tokens to the gold query's, for an answer that runs",
        0,
      ),
      syntax: weight('paid where the answer runs', 0),
      format: weight('paid where the answer is exactly one query', 0),
    })
    .prefault({})
    .superRefine((weights, issues) => {
      const flaw = flawOfWeights(weights);
      if (flaw !== undefined) issues.addIssue({ code: 'custom', message: flaw });
    })
    .describe('what an answer is paid for, after Reasoning-SQL'),
  maxSteps: z.int().min(1).max(1_000).default(20).describe('number of steps after which the task fails'),
  shownRows: z.int().min(1).max(1_000).default(10).describe('number of rows of a result to show'),
  maxRows: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('number of rows after which a query is stopped; an answer with more is wrong'),
  timeMs: z
    .int()
    .min(10)
    .max(600_000)
    .default(5_000)
    .describe('milliseconds after which a query is stopped, which is a result and no fault'),
  memoryMegabytes: z
    .int()
    .min(32)
    .max(2_048)
    .default(256)
    .describe('megabytes that the engine may use for a query, beside the database'),
  threads: z.int().min(1).max(64).default(2).describe('threads that run queries; does not affect results'),
});

export type SqlConfig = z.output<typeof sqlConfig>;

/** The rule that decides whether an answer is right. Default: that of the published evaluation. */
export const matchingOf = ({
  source: { kind },
  matching,
}: Pick<SqlConfig, 'source' | 'matching'>): Matching => matching ?? (kind === 'bird' ? 'set' : 'rows');
