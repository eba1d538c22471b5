import { z } from 'zod';
import { UsageError } from '../../../core/errors.ts';
import { unitVector } from '../dense/unit-vector.ts';
import { contentsOf, hasQuotedTitle, type StoredDocument } from '../document.ts';
import type { Span } from '../read/row.ts';

const column = z.string().min(1).max(1_000);

/** The columns of a corpus. */
export const corpusFieldsSchema = z.strictObject({
  id: column
    .optional()
    .describe('column of the id; default: id, _id, docid or url; a row without one is row-N'),
  title: column.optional().describe('column of the title; default: title, else the first words'),
  text: column
    .optional()
    .describe(
      'column of the text; default: contents, whose first line of several is the title, else text, passage, content or body',
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
  id: z.string().optional(),
  title: z.string().optional(),
  text: z.string().optional(),
  /** Undefined where documents have no vectors. */
  vector: z.string().optional(),
});

/** The columns that are read. Each row is read by the usual names where one is undefined. */
export type ChosenFields = Readonly<z.output<typeof chosenFieldsSchema>>;

/**
 * Validates the columns by the names of the first rows.
 *
 * @throws UsageError where a named column is missing, or there is no text
 */
export function assertFields(file: string, names: ReadonlySet<string>, fields: CorpusFields): void {
  const known = `It has ${names.size === 0 ? 'no columns' : [...names].slice(0, 20).join(', ')}.`;
  for (const [role, name] of Object.entries(fields)) {
    if (name === undefined || names.has(name)) continue;
    throw new UsageError({
      where: file,
      what: `it has no column ${JSON.stringify(name)} for the ${role}. ${known}`,
      fix: `Set fields.${role} to one of them, or leave it out.`,
    });
  }
  if (fields.text === undefined && !usual.text.some((name) => names.has(name)))
    throw new UsageError({
      where: file,
      what: `it has no text. ${known}`,
      fix: 'Set fields.text to a column.',
    });
}

/** The usual name of the column of a row's id, where it has one. */
export const idColumnOf = (value: Readonly<Record<string, unknown>>): string | undefined =>
  usual.id.find((name) => (scalarText(value[name]) ?? '') !== '');

/** A document of a corpus. */
export interface CorpusDocument extends StoredDocument {
  /** A vector of length 1. */
  readonly vector?: Float32Array;
  /** Where its row stands in the file; undefined where rows cannot be read again one by one. */
  readonly span?: Span;
}

/**
 * The document of a row, or why it is none. Its contents do not depend on other rows.
 *
 * @param row the number of the row, from 1, which names a row without an id
 */
export function documentOf(
  value: Readonly<Record<string, unknown>>,
  fields: ChosenFields,
  row: number,
): CorpusDocument | string {
  const idName = fields.id ?? idColumnOf(value);
  const given = idName === undefined ? undefined : scalarText(value[idName]);
  const id = given === undefined || given === '' ? `row-${row}` : given;
  if (id.length > 4_000) return `its ${idName} has more than 4000 characters`;
  const textName = fields.text ?? usual.text.find((name) => scalarText(value[name]) !== undefined);
  const text = textName === undefined ? undefined : scalarText(value[textName]);
  if (textName === undefined || text === undefined) return `it has no ${fields.text ?? 'text'}`;
  const vector = fields.vector === undefined ? undefined : unitVector(value[fields.vector]);
  if (typeof vector === 'string') return `its ${fields.vector} ${vector}`;
  const title = scalarText(value[fields.title ?? 'title']);
  const contents = titledContents(text, title, { hasTitleLine: textName === 'contents' });
  return { id, contents, ...(vector === undefined ? {} : { vector }) };
}

/** `contents` of a text and the title of its column, if it has one. */
function titledContents(
  text: string,
  title: string | undefined,
  { hasTitleLine }: { readonly hasTitleLine: boolean },
): string {
  const end = text.indexOf('\n');
  if (hasQuotedTitle(text) && (hasTitleLine || title === undefined)) return text;
  if (title === undefined || title.trim() === '') {
    // an empty title: without it, the first of several lines would be the title
    return hasTitleLine || end < 0 ? text : contentsOf('', text);
  }
  return hasTitleLine && end >= 0 && text.slice(0, end).trim() === title.trim()
    ? text
    : contentsOf(title, text);
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return undefined;
}
