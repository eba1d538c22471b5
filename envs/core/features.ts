import { z } from 'zod';
import { UsageError } from './errors.ts';
import { describeIssues } from './issues.ts';
import type { Textual } from './textual.ts';

/** Row and column, counted from 0. */
export type GridCell = readonly [row: number, column: number];
/** A named fact: a number, true or false, or a short text that names one of several kinds. */
export type FieldValue = number | boolean | string;
export type Fields = Readonly<Record<string, FieldValue>>;

/** A board as cells. */
export interface Grid {
  /**
   * The rows from the top, all of one length. A row is a text with one character per cell, or a list with one short text per cell. Equal
   * texts are cells of one kind.
   */
  readonly rows: readonly (string | readonly string[])[];
  /** The cell that the player is in, for worlds in which the player moves. */
  readonly focus?: GridCell;
  /**
   * Kinds of cells that nobody can enter. With it, distances are those of shortest paths around the walls. Without it, they ignore what
   * lies between. A shortest path is a search that the encoder does for the policy: leave `walls` out where finding the way is the task.
   */
  readonly walls?: readonly string[];
  /** Height and width of the blocks that divide the board, such as `[3, 3]` for a sudoku. */
  readonly block?: readonly [rows: number, columns: number];
}

/** What an observation shows, as data that a policy can compare and count. */
export interface Features {
  readonly grid?: Grid;
  readonly fields?: Fields;
}

/** What an action refers to. */
export interface ActionTarget {
  /** The kind of action. Actions of one kind share what is learned about them. Default: all actions are of one kind. */
  readonly verb?: string;
  /** The cell of the grid that the action is done to. It may lie outside of the grid. */
  readonly cell?: GridCell;
  /** The step that the action takes from the focus, such as `[-1, 0]` for up. */
  readonly direction?: readonly [rows: number, columns: number];
  /** What the action puts there or names, in the texts of the cells where there is a grid. */
  readonly value?: string;
  /** Facts of the action, to be compared with those of the observation. */
  readonly fields?: Fields;
}

/** The largest grid, in rows and in columns. */
const longestSide = 128;

const cell = z.tuple([z.int(), z.int()]).readonly();
const kind = z.string().min(1).max(64);
const fields = z
  .record(z.string().min(1).max(64), z.union([z.number(), z.boolean(), z.string().max(256)]))
  .readonly();
const row = z.union([z.string().min(1).max(longestSide), z.array(kind).min(1).max(longestSide).readonly()]);
const side = z.int().min(1).max(longestSide);

const gridSchema: z.ZodType<Grid> = z
  .strictObject({
    rows: z.array(row).min(1).max(longestSide).readonly(),
    focus: cell.exactOptional(),
    walls: z.array(kind).readonly().exactOptional(),
    block: z.tuple([side, side]).readonly().exactOptional(),
  })
  .superRefine(({ rows, focus }, issues) => {
    const columns = cellsOf(rows[0] ?? '').length;
    const uneven = rows.findIndex((cells) => cellsOf(cells).length !== columns);
    if (uneven >= 0)
      issues.addIssue({
        code: 'custom',
        path: ['rows', uneven],
        message: `it has ${cellsOf(rows[uneven] ?? '').length} cells, but the first row has ${columns}`,
      });
    if (focus === undefined) return;
    const [at, across] = focus;
    if (at < 0 || at >= rows.length || across < 0 || across >= columns)
      issues.addIssue({
        code: 'custom',
        path: ['focus'],
        message: `[${at}, ${across}] lies outside of the ${rows.length} by ${columns} cells`,
      });
  });

/** The schema of {@link Features}. Numbers are finite. */
export const featuresSchema: z.ZodType<Features> = z.strictObject({
  grid: gridSchema.exactOptional(),
  fields: fields.exactOptional(),
});

/** The schema of {@link ActionTarget}. */
export const actionTargetSchema: z.ZodType<ActionTarget> = z.strictObject({
  verb: z.string().max(64).exactOptional(),
  cell: cell.exactOptional(),
  direction: cell.exactOptional(),
  value: z.string().max(64).exactOptional(),
  fields: fields.exactOptional(),
});

const onlyAscii = /^[\0-\x7f]*$/;

/** The cells of a row. A character beyond the basic plane is one cell. */
export function cellsOf(cells: string | readonly string[]): readonly string[] | string {
  return typeof cells !== 'string' || onlyAscii.test(cells) ? cells : Array.from(cells);
}

/** What an env declares of a turn beside its words. */
export interface TurnFeatures {
  readonly features: Features | undefined;
  /** One for each candidate. Undefined where the env names no target for it. */
  readonly targets: readonly (ActionTarget | undefined)[];
}

type Declaring<Obs, Act> = Pick<Textual<Obs, Act>, 'parse' | 'features' | 'target' | 'at'>;

/** A reader of what the env declares; undefined where it declares nothing beside its words. */
export function featureReaderOf<Obs, Act>(text: Declaring<Obs, Act>): FeatureReader<Obs, Act> | undefined {
  return text.features === undefined && text.target === undefined ? undefined : new FeatureReader(text);
}

/**
 * Reads what an env declares of its turns. It takes actions from their texts, as stored trajectories have them, so that playing and
 * training read the same. It remembers the targets of `capacity` texts.
 */
export class FeatureReader<Obs, Act> {
  readonly #text: Declaring<Obs, Act>;
  readonly #capacity: number;
  readonly #targets = new Map<string, ActionTarget | undefined>();
  /** Readers of the turns whose words depend on the observation. */
  readonly #own = new Map<Declaring<Obs, Act>, FeatureReader<Obs, Act>>();

  constructor(text: Declaring<Obs, Act>, capacity = 20_000) {
    this.#text = text;
    this.#capacity = capacity;
  }

  /**
   * Reads a turn. `path` names the episode in errors.
   *
   * @throws UsageError where the env returns something that the schemas do not allow
   */
  read(observation: Obs, candidates: readonly string[], path: string): TurnFeatures {
    const own = this.#text.at?.(observation).text;
    if (own !== undefined && own !== this.#text)
      return this.#readerOf(own).read(observation, candidates, path);
    const { features } = this.#text;
    return {
      features:
        features === undefined
          ? undefined
          : checked('text.features', featuresSchema, features.call(this.#text, observation), path),
      targets: candidates.map((candidate) => this.#targetOf(candidate, path)),
    };
  }

  #readerOf(text: Declaring<Obs, Act>): FeatureReader<Obs, Act> {
    const reader = this.#own.get(text) ?? new FeatureReader(text, this.#capacity);
    this.#own.set(text, reader);
    return reader;
  }

  #targetOf(candidate: string, path: string): ActionTarget | undefined {
    const { target } = this.#text;
    if (target === undefined) return undefined;
    if (this.#targets.has(candidate)) return this.#targets.get(candidate);
    const reply = this.#text.parse(candidate);
    const named = reply.kind === 'action' ? target.call(this.#text, reply.action) : undefined;
    const read = named === undefined ? undefined : checked('text.target', actionTargetSchema, named, path);
    if (this.#targets.size >= this.#capacity) this.#targets.clear();
    this.#targets.set(candidate, read);
    return read;
  }
}

function checked<Value>(call: string, schema: z.ZodType<Value>, value: unknown, path: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: `${call} of the env in ${path}`,
    what: `its return value is invalid: ${describeIssues(parsed.error)}.`,
    fix: 'Fix the environment: the types Features and ActionTarget describe each member.',
  });
}
