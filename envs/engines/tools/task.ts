import { z } from 'zod';
import { UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { ends, toolCallSchema } from './action.ts';
import { startTable, type AnyRow, type StartTable, type TableRows, type TableSchemas } from './tables.ts';

const text = z.string().min(1);

/** What the user says when an agent asks for something. */
const slotSchema = z.strictObject({
  /** The right answer, as a sentence. */
  says: text,
  /** A mistake of the user, which is what it says first. It says the right answer when it is asked again. */
  slip: text.exactOptional(),
});

const goldCallSchema = toolCallSchema.extend({
  /** Who makes the call: the agent by default. A call of the user's tools is made when the agent asks for it. */
  by: z.literal('user').exactOptional(),
});

/** One thing that the user wants, and how it ends well. */
export const requestSchema = z.strictObject({
  /** What the user says. */
  says: text,
  /** Calls that lead to the right state, with those that look up what must be known. */
  gold: z.array(goldCallSchema),
  /** Texts that the agent must communicate to the user. */
  tell: z.array(text).exactOptional(),
  /** Rows that the agent must have read, as `table/key`, so that no end is right by chance. */
  read: z.array(text).exactOptional(),
  /** The right end. Default: `done`. */
  end: z.enum(ends).exactOptional(),
  /** The rule of the policy that forbids the request, for the end `refuse`. */
  rule: text.exactOptional(),
  /** Answers to questions, by what is asked for, such as `email`. */
  slots: z.record(text, slotSchema).exactOptional(),
});

export type ToolRequest = Readonly<z.output<typeof requestSchema>>;
export type GoldCall = z.output<typeof goldCallSchema>;

const taskSchema = z.strictObject({
  family: text.exactOptional(),
  start: z.record(z.string(), z.array(z.unknown())),
  facts: z.record(z.string(), z.array(z.unknown())).exactOptional(),
  requests: z.array(requestSchema).min(1),
  withheld: z.array(text).exactOptional(),
  failures: z.record(text, z.int().min(1).max(20)).exactOptional(),
  before: text.exactOptional(),
  criteria: z.json().exactOptional(),
});

/** A task as its author writes it. */
export interface ToolTask<Schemas extends TableSchemas> {
  /** Results are reported by family. Default: the name of the env. */
  readonly family?: string;
  /** The rows of each table. Tasks that share an array share its validation and its indices. */
  readonly start: TableRows<Schemas>;
  /** Rows of this task alone. They are added to the start rows, or replace those of their keys. */
  readonly facts?: Partial<TableRows<Schemas>>;
  /** What the user wants, one request after the other. */
  readonly requests: readonly ToolRequest[];
  /** Names of tools that are missing in this task. */
  readonly withheld?: readonly string[];
  /** Tools whose first calls fail as `unavailable`, and how many. */
  readonly failures?: Readonly<Record<string, number>>;
  /** What was said before the user's first message. The instruction shows it. */
  readonly before?: string;
  /** What else the task depends on, such as the criteria of a grader. It is part of the fingerprint alone. */
  readonly criteria?: Json;
}

/** A validated task. */
export interface ReadTask {
  readonly family: string | undefined;
  readonly start: Readonly<Record<string, StartTable>>;
  readonly facts: ReadonlyMap<string, ReadonlyMap<string, AnyRow>>;
  readonly requests: readonly ToolRequest[];
  readonly withheld: ReadonlySet<string>;
  readonly failures: Readonly<Record<string, number>>;
  readonly before: string | undefined;
  /** Everything that is particular to the task, for fingerprints. */
  readonly content: Json;
}

/**
 * Validates a task.
 *
 * @throws UsageError where a part is missing or invalid
 */
export function readTask(place: string, schemas: TableSchemas, task: ToolTask<TableSchemas>): ReadTask {
  const { start, ...particular } = task; // start rows have a validation of their own, once for all tasks
  const parsed = taskSchema.omit({ start: true }).safeParse(particular);
  if (!parsed.success)
    throw new UsageError({
      where: place,
      what: `the task is invalid: ${describeIssues(parsed.error)}.`,
      fix: 'Return { start, requests }, and family, facts, withheld, failures where needed.',
    });
  const { facts = {}, requests, withheld = [], failures = {}, family, before } = parsed.data;
  const tables = Object.entries(schemas).map(([name, schema]) => {
    const rows = Object.hasOwn(start, name) ? start[name] : undefined;
    if (Array.isArray(rows)) return [name, startTable(place, name, schema, rows)] as const;
    throw new UsageError({
      where: `${place}, start`,
      what: `the table ${name} has no array of rows.`,
      fix: 'Give each table an array; an empty one has no rows.',
    });
  });
  const own = Object.entries(facts).map(([name, rows]) => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (schema !== undefined) return [name, startTable(`${place}, facts`, name, schema, rows).rows] as const;
    throw new UsageError({
      where: `${place}, facts`,
      what: `there is no table ${name}.`,
      fix: `Use the tables ${Object.keys(schemas).join(', ')}.`,
    });
  });
  const { family: _family, ...content } = particular;
  const digests = Object.fromEntries(tables.map(([name, table]) => [name, table.digest]));
  return {
    family,
    start: Object.fromEntries(tables),
    facts: new Map(own),
    requests,
    withheld: new Set(withheld),
    failures,
    before,
    content: JSON.parse(canonicalJson({ ...content, start: digests })) as Json,
  };
}
