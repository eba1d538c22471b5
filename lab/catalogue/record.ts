import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';

const share = z.number().min(0).max(1);
const count = z.int().min(0);

/** What a player reached on the first tasks of a panel. */
const scoreSchema = z.strictObject({
  episodes: z.int().min(1),
  /** Share of solved episodes, with Wilson's 95 % interval. */
  success: share,
  low: share,
  high: share,
  /** Mean of the env's rewards. */
  score: z.number(),
  /** Mean number of steps of an episode. */
  steps: z.number().min(0),
});

const measuredSchema = z.strictObject({
  kind: z.literal('measured'),
  /** Over the panels and their first tasks. */
  panels: z.string(),
  panel: z.string(),
  keys: z.strictObject({ state: z.boolean(), anchor: z.boolean() }),
  snapshots: z.boolean(),
  experts: z.array(z.enum(['planner', 'searcher'])).readonly(),
  /** Absent where no actions are listed. */
  random: scoreSchema.optional(),
  /** The searcher, or else the planner. */
  expert: scoreSchema.extend({ kind: z.enum(['planner', 'searcher']) }).optional(),
  /** Steps of random play in a second of one core; absent where no actions are listed. */
  stepsPerSecond: count.optional(),
});

const recordSchema = z.strictObject({
  /** Over the definition: see `fingerprintDefinition`. */
  definition: z.string(),
  date: z.iso.date(),
  result: z.discriminatedUnion('kind', [
    measuredSchema,
    z.strictObject({ kind: z.literal('unmeasured'), why: z.string().min(1) }),
  ]),
});

/** What `npm run catalogue` measured of an env. */
export type CatalogueRecord = z.output<typeof recordSchema>;
export type CatalogueMeasurement = z.output<typeof measuredSchema>;
export type CatalogueScore = z.output<typeof scoreSchema>;

export const catalogueSchema = z.strictObject({
  command: z.string(),
  /** The machine of the last measurement. */
  machine: z.strictObject({
    node: z.string(),
    processor: z.string(),
    cores: z.int(),
    loadBefore: z.number(),
  }),
  envs: z.record(z.string(), recordSchema),
});

export type RecordedCatalogue = z.output<typeof catalogueSchema>;

/** Parses the file of the catalogue. @throws UsageError for another content */
export function parseCatalogue(value: unknown, where: string): RecordedCatalogue {
  const parsed = catalogueSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where,
    what: `it is no catalogue: ${describeIssues(parsed.error)}.`,
    fix: 'Write it again with npm run catalogue.',
  });
}
