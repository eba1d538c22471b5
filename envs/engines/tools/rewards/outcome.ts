import type { End } from '../action.ts';
import type { ToolRequest } from '../task.ts';

/** How a request was ended. */
export interface Ended {
  readonly end: End;
  readonly rule: string | undefined;
  /** The difference to the start of the task, as canonical JSON, and the one after the gold calls. */
  readonly changes: string;
  readonly goldChanges: string;
  /** Which of the texts of `tell` were communicated. */
  readonly told: readonly number[];
  /** Which of the rows of `read` were read. */
  readonly read: readonly number[];
}

/** What a request can lack. */
export const lacks = ['end', 'rule', 'state', 'told', 'read', 'results'] as const;

export type Lack = (typeof lacks)[number];

/**
 * The outcome of a request, as in τ-bench: the end state equals the one after the gold calls, by deep
 * equality, and all outputs were communicated. In addition the end must be the right one, by the right rule, after
 * the rows that justify it were read.
 */
export function lackOf(
  { end = 'done', rule, tell = [], read = [] }: ToolRequest,
  ended: Ended,
): Lack | undefined {
  if (ended.end !== end) return 'end';
  if (end === 'refuse' && ended.rule !== rule) return 'rule';
  if (ended.changes !== ended.goldChanges) return 'state';
  if (ended.told.length < tell.length) return 'told';
  return ended.read.length < read.length ? 'read' : undefined;
}

/** Whether a message contains the text: case and commas do not count, as in τ-bench, and whole words must match. */
export function tells(message: string, wanted: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(',', '');
  const [said, text] = [plain(message), plain(wanted)];
  for (let at = said.indexOf(text); at >= 0; at = said.indexOf(text, at + 1)) {
    const before = said.charAt(at - 1);
    const after = said.slice(at + text.length, at + text.length + 2);
    if (!/[\p{L}\p{N}]/u.test(before) && !/^(?:[\p{L}\p{N}]|\.\d)/u.test(after)) return true;
  }
  return false;
}
