import { createHash } from 'node:crypto';
import { tokensOf } from './engine/sql-token.ts';
import { valuesIn, type QuestionValues } from './draft/question-values.ts';
import type { Schema } from './schema.ts';
import type { Cell } from './engine/result.ts';

/** A database as files have it, shared with the threads that query it. */
export interface SharedDatabase {
  /** Unique among those of a host. */
  readonly id: string;
  readonly schema: Schema;
  readonly bytes: SharedArrayBuffer;
  /** SHA-256 of its content, and of what is said of its columns, in hexadecimal digits. */
  readonly digest: string;
}

/** A question about a database, and the query that answers it. */
export interface SqlQuestion {
  readonly family: string;
  /** What is asked. */
  readonly question: string;
  /** What one has to know beside it, as BIRD gives it. */
  readonly evidence?: string;
  readonly gold: string;
  readonly goldRows: readonly (readonly Cell[])[];
  readonly database: SharedDatabase;
}

/** Whether the outermost query of a text asks for an order. */
export function ordersRows(sql: string): boolean {
  let depth = 0;
  const words = tokensOf(sql).flatMap(({ kind, text }) => {
    if (text === '(') depth += 1;
    if (text === ')') depth -= 1;
    return depth === 0 && kind === 'word' ? [text.toUpperCase()] : [];
  });
  return words.some((word, at) => word === 'ORDER' && words[at + 1] === 'BY');
}

/** What an agent reads first. */
export function instructionOf({ question, evidence }: Pick<SqlQuestion, 'question' | 'evidence'>): string {
  return evidence === undefined || evidence === '' ? question : `${question}\nTo know: ${evidence}`;
}

/** What is offered as values: only what the agent reads. */
export const valuesOf = (question: Pick<SqlQuestion, 'question' | 'evidence'>): QuestionValues =>
  valuesIn(instructionOf(question));

export const digestOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The same bytes where threads can read them without a copy each. */
export function shareBytes(bytes: Uint8Array): SharedArrayBuffer {
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return shared;
}
