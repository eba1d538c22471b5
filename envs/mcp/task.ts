import path from 'node:path';
import { z } from 'zod';
import { UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { PanelInfo } from '../core/task.ts';
import { readUserFile } from '../core/user-file.ts';
import { toolCallSchema } from '../engines/tools/action.ts';
import { requestSchema, type ReadTask } from '../engines/tools/task.ts';

const text = z.string().min(1);

/** A program that judges a request: it gets results on standard input, and exits with 0 or 1. */
const programSchema = z.strictObject({
  language: z.enum(['python', 'javascript', 'shell']),
  code: text,
  /** Calls whose results the program gets. */
  calls: z.array(toolCallSchema).default([]),
});

const checkSchema = z.union([
  z.strictObject({ call: toolCallSchema, equals: z.json() }),
  z.strictObject({ call: toolCallSchema, contains: text }),
  z.strictObject({ call: toolCallSchema, lacks: text }),
  z.strictObject({ program: programSchema }),
]);
export type Check = z.output<typeof checkSchema>;

const request = requestSchema.omit({ read: true }).extend({
  gold: z.array(toolCallSchema).default([]),
  checks: z.array(checkSchema).default([]),
});

const common = {
  family: text.exactOptional(),
  /** Files of the work folder at the start, by their relative paths. */
  files: z.record(text, z.string()).default({}),
  /** Calls before the first turn. Each must work. */
  setup: z.array(toolCallSchema).default([]),
  /** Tools that are missing in this task. */
  withheld: z.array(text).default([]),
};

const taskSchema = z.union([
  z.strictObject({ ...common, requests: z.array(request).min(1) }),
  z.strictObject({ ...common, ...request.shape }),
]);

const fileSchema = z.strictObject({
  $schema: z.string().optional(),
  policy: text.optional(),
  rules: z.record(text, text).default({}),
  panels: z.record(z.string().regex(/^[a-z][\w-]*$/, 'must be a short word'), z.array(taskSchema).min(1)),
});

/** A task over servers. */
export interface McpTask {
  readonly read: ReadTask;
  readonly files: Readonly<Record<string, string>>;
  readonly setup: readonly z.output<typeof toolCallSchema>[];
  /** The checks of each request. */
  readonly checks: readonly (readonly Check[])[];
}

/** The tasks of a file. */
export interface TaskFile {
  readonly policy: string | undefined;
  readonly rules: Readonly<Record<string, string>>;
  readonly panels: ReadonlyMap<string, readonly McpTask[]>;
}

const fix = 'docs/environments/mcp.md shows the form of the file.';

/**
 * Reads a file of tasks.
 *
 * @throws UsageError where the file, or a task, is not valid
 */
export async function readTaskFile(file: string): Promise<TaskFile> {
  const where = `tasks ${file}`;
  const content = await readUserFile(file, { where, fix });
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (thrown) {
    throw new UsageError({ where, what: 'it is not JSON.', fix }, { cause: thrown });
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success)
    throw new UsageError({ where, what: `${describeIssues(parsed.error, { value, keys: [] })}.`, fix });
  const { policy, rules, panels } = parsed.data;
  const read = Object.entries(panels).map(([name, tasks]) => {
    const all = tasks.map((task, index) => readTask(`${where}, ${name}/${index}`, task));
    return [name, all] as const;
  });
  if (read.length === 0) throw new UsageError({ where, what: 'it has no panel.', fix });
  return { policy, rules, panels: new Map(read) };
}

type GivenTask = z.output<typeof taskSchema>;

function readTask(where: string, given: GivenTask): McpTask {
  const { family, files, setup, withheld, ...rest } = given;
  const requests = 'requests' in rest ? rest.requests : [rest];
  const outside = Object.keys(files).find(
    (name) => path.isAbsolute(name) || path.normalize(name).split(path.sep).includes('..'),
  );
  if (outside !== undefined)
    throw new UsageError({ where, what: `the file ${outside} lies outside of the work folder.`, fix });
  const idle = requests.findIndex(
    ({ checks, tell = [], end = 'done' }) => checks.length === 0 && tell.length === 0 && end === 'done',
  );
  if (idle >= 0)
    throw new UsageError({
      where: `${where}, request ${idle}`,
      what: 'nothing is checked, so that every agent solves it.',
      fix: 'Add checks, or tell.',
    });
  return {
    read: {
      family,
      start: {},
      facts: new Map(),
      before: undefined,
      requests: requests.map(({ checks: _checks, ...one }) => one),
      withheld: new Set(withheld),
      failures: {},
      content: JSON.parse(canonicalJson({ files, setup, requests, withheld: [...withheld] })) as Json,
    },
    files,
    setup,
    checks: requests.map(({ checks }) => checks),
  };
}

/** The panels of a file. All but `train` and `dev` are held out. */
export const panelsOf = (id: string, { panels }: TaskFile): readonly PanelInfo[] =>
  [...panels].map(([name, tasks]) => ({
    name,
    size: tasks.length,
    purpose: name === 'train' || name === 'dev' ? name : 'held-out',
    summary: `${tasks.length} tasks of ${id}`,
  }));
