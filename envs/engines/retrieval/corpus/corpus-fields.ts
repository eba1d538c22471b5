import { z } from 'zod';
import { UsageError } from '../../../core/errors.ts';
import { unitVector } from '../dense/unit-vector.ts';
import { contentsOf, type StoredDocument } from '../document.ts';
import type { Span } from '../read/row.ts';

const column = z.string().min(1).max(1_000);

/** The columns of a corpus. */
export const corpusFieldsSchema = z.strictObject({
  id: column.optional().describe('column of the id; default: id, _id, docid or url, else the row number'),
  title: column.optional().describe('column of the title; default: title'),
  text: column
    .optional()
    .describe(
      'column of the text; default: contents, whose first line is the title, else text, passage, content or body',
    ),
  vector: column
    .optional()
    .describe('column of the vector, a list of numbers; default: the embedding server makes the vectors'),
});
export type CorpusFields = z.output<typeof corpusFieldsSchema>;

const usual = {
  id: ['id', '_id', 'docid', 'url'],
  title: ['title'],
  text: ['contents', 'text', 'passage', 'content', 'body'],
} as const;

export const chosenFieldsSchema = z.strictObject({
  /** Undefined where the row number is the id. */
  id: z.string().optional(),
  title: z.string().optional(),
  text: z.string(),
  /** Undefined where documents have no vectors. */
  vector: z.string().optional(),
  /** Whether the first line of the text is the title. */
  hasTitleLine: z.boolean(),
});

/** The columns that are read. */
export type ChosenFields = Readonly<z.output<typeof chosenFieldsSchema>>;

/**
 * Chooses the columns from the first row.
 *
 * @throws UsageError where a named column is missing, or there is no text
 */
export function chooseFields(file: string, names: readonly string[], fields: CorpusFields): ChosenFields {
  const has = new Set(names);
  const known = `It has ${names.length === 0 ? 'no columns' : names.slice(0, 20).join(', ')}.`;
  for (const [role, name] of Object.entries(fields)) {
    if (name === undefined || has.has(name)) continue;
    throw new UsageError({
      where: file,
      what: `it has no column ${JSON.stringify(name)} for the ${role}. ${known}`,
      fix: `Set fields.${role} to one of them, or leave it out.`,
    });
  }
  const find = (role: keyof typeof usual): string | undefined =>
    fields[role] ?? usual[role].find((name) => has.has(name));
  const text = find('text');
  if (text === undefined)
    throw new UsageError({
      where: file,
      what: `it has no text. ${known}`,
      fix: 'Set fields.text to a column.',
    });
  const title =
    fields.title ?? (text === 'contents' && fields.text === undefined ? undefined : find('title'));
  return { id: find('id'), title, text, vector: fields.vector, hasTitleLine: title === undefined };
}

/** A document of a corpus. */
export interface CorpusDocument extends StoredDocument {
  /** A vector of length 1. */
  readonly vector?: Float32Array;
  /** Where its row stands in the file; undefined where rows cannot be read again one by one. */
  readonly span?: Span;
}

/** The document of a row, or why it is none. */
export function documentOf(
  value: Readonly<Record<string, unknown>>,
  fields: ChosenFields,
  row: number,
): CorpusDocument | string {
  const id = fields.id === undefined ? String(row) : scalarText(value[fields.id]);
  if (id === undefined || id === '') return `it has no ${fields.id}`;
  if (id.length > 4_000) return `its ${fields.id} has more than 4000 characters`;
  const text = scalarText(value[fields.text]);
  if (text === undefined) return `it has no ${fields.text}`;
  const vector = fields.vector === undefined ? undefined : unitVector(value[fields.vector]);
  if (typeof vector === 'string') return `its ${fields.vector} ${vector}`;
  const more = vector === undefined ? {} : { vector };
  if (fields.title === undefined) return { id, contents: text, ...more };
  const title = scalarText(value[fields.title]);
  return title === undefined
    ? `it has no ${fields.title}`
    : { id, contents: contentsOf(title, text), ...more };
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return undefined;
}
