import type { Json } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import type { GoldCall } from '../engines/tools/task.ts';
import type { TableRows, TableSchemas } from '../engines/tools/tables.ts';
import type { Procedure, Asked } from './procedure.ts';

/** One case of a form: what stands in its message, and what is right. */
export interface Case<Schemas extends TableSchemas> {
  /** Values of the placeholders. */
  readonly values: Readonly<Record<string, string>>;
  /** Calls that look up what must be known. */
  readonly lookUps: readonly GoldCall[];
  /** Calls that do what is asked, where nothing forbids it. */
  readonly acts: readonly GoldCall[];
  readonly tell?: readonly string[];
  /** Rows that justify the end, as `table/key`. */
  readonly read: readonly string[];
  /** The rule that forbids the request. */
  readonly rule?: string;
  /** Rows of this task alone. */
  readonly facts?: Partial<TableRows<Schemas>>;
}

/** A kind of request that users make. */
export interface Form<Schemas extends TableSchemas> {
  readonly name: string;
  /** Whether the user wants to know something, or to have something done. */
  readonly kind: 'tell' | 'act';
  /**
   * Wordings of the message: two for training and one that is held out. `{order}` stands for a value, and
   * `[…]` for what is left out where its value is to be asked for.
   */
  readonly wordings: readonly [string, string, string];
  /** The placeholder that can be left out, with what it is called in questions, and a wrong value of it. */
  readonly slot?: { readonly name: string; readonly label: string; wrong(rng: Rng): string };
  /** The tool of the agent without which the request cannot be done, if there is one. */
  readonly needs?: string;
  /** Whether some cases are forbidden by a rule. */
  readonly isRuled: boolean;
  /** Draws a case whose main row is in the share of the panel, a forbidden one where `isForbidden`. */
  draw(
    rng: Rng,
    of: { readonly share: Share; readonly isForbidden: boolean; readonly rows: TableRows<Schemas> },
  ): Case<Schemas>;
  /** Does the request from what is seen alone. */
  solve(asked: Asked): Procedure;
}

/** The part of the main rows that belongs to a panel. No two panels share a row. */
export interface Share {
  readonly from: number;
  readonly count: number;
  readonly of: number;
}

/** The rows of a share. Each block of rows starts one further on, so that rows which alternate are in every share. */
export const inShare = <Row>(rows: readonly Row[], { from, count, of }: Share): readonly Row[] =>
  rows.filter((_, index) => {
    const rest = (index + Math.floor(index / of)) % of;
    return rest >= from && rest < from + count;
  });

/** A gold call of the agent. */
export const gold = (name: string, given: Readonly<Record<string, Json>> = {}): GoldCall => ({
  name,
  arguments: given,
});

/** Fills in the placeholders of a wording. What is in brackets is left out where it holds the placeholder `without`. */
export function fillIn(wording: string, values: Readonly<Record<string, string>>, without?: string): string {
  return wording
    .replaceAll(/\[([^\]]*)\]/g, (_, part: string) =>
      without !== undefined && part.includes(`{${without}}`) ? '' : part,
    )
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

const patterns = new Map<string, RegExp>();

/** Reads the values from a message of that wording; undefined where it has another one. */
export function readValues(wording: string, message: string): Readonly<Record<string, string>> | undefined {
  let pattern = patterns.get(wording);
  if (pattern === undefined) {
    pattern = patternOf(wording);
    patterns.set(wording, pattern);
  }
  const groups = pattern.exec(message)?.groups;
  return groups === undefined
    ? undefined
    : Object.fromEntries(
        Object.entries(groups).filter((group): group is [string, string] => group[1] !== undefined),
      );
}

function patternOf(wording: string): RegExp {
  const source = wording
    .replaceAll(/[.*+?^$()|\\]/g, String.raw`\$&`)
    .replaceAll('[', '(?:')
    .replaceAll(']', ')?')
    .replaceAll(/"\{(\w+)\}"/g, '"(?<$1>[^"]+)"')
    .replaceAll(/\{(\w+)\}/g, String.raw`(?<$1>[\w@.-]*\w)`);
  return new RegExp(`^${source}$`);
}
