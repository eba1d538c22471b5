import { createHash } from 'node:crypto';
import { tokensOf } from './engine/sql-token.ts';
import { valuesIn, type QuestionValues } from './draft/question-values.ts';
import type { Schema } from './schema.ts';
import type { Cell } from './engine/result.ts';

/** A database from files, shared with the threads that query it. */
export interface SharedDatabase {
  /** Unique within a host. */
  readonly id: string;
  readonly schema: Schema;
  readonly bytes: SharedArrayBuffer;
  /** SHA-256 of its content, and of the meanings of its columns, in hexadecimal digits. */
  readonly digest: string;
}

/** A question about a database, and the query that answers it. */
export interface SqlQuestion {
  readonly family: string;
  /** What is asked. */
  readonly question: string;
  /** The extra knowledge that BIRD gives for it. */
  readonly evidence?: string;
  readonly gold: string;
  readonly goldRows: readonly (readonly Cell[])[];
  readonly database: SharedDatabase;
}

/** Whether the outermost query of a text has an order. */
export function ordersRows(sql: string): boolean {
  let depth = 0;
  const words = tokensOf(sql).flatMap(({ kind, text }) => {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    return depth === 0 && kind === 'word' ? [text.toUpperCase()] : [];
  });
  return words.some((word, at) => word === 'ORDER' && words[at + 1] === 'BY');
}

/** The instruction of an agent. */
export function instructionOf({ question, evidence }: Pick<SqlQuestion, 'question' | 'evidence'>): string {
  return evidence === undefined || evidence === '' ? question : `${question}\nTo know: ${evidence}`;
}

/** The values that are offered: only those in what the agent reads. */
export const valuesOf = (question: Pick<SqlQuestion, 'question' | 'evidence'>): QuestionValues =>
  valuesIn(instructionOf(question));

export const digestOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The same bytes in memory that threads can read without a copy each. */
export function shareBytes(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return shared;
}
