import type { Json } from '../../../core/json.ts';

/** A question with its answers. */
export interface Question {
  readonly id: string;
  readonly question: string;
  /** Texts that are right; at least one. */
  readonly answers: readonly string[];
  /** Ids of the documents that state the facts, in the order in which they are needed; empty where unknown. */
  readonly supporting: readonly string[];
  /** The number of documents that an answer needs; undefined where unknown. */
  readonly hops: number | undefined;
  /** Names that a player can search for in turn, for the planner; empty where unknown. */
  readonly path: readonly string[];
  /** The parts of an answer of several texts, each of which a reader must have seen. */
  readonly parts?: readonly string[];
  /** The kind of question, for tables, where it is not the number of hops. */
  readonly family?: string;
  /** Misleading documents about the entities on the way. */
  readonly traps: number;
}

/** The kind of question, for tables: `2-hop`, or `question` where the number of hops is unknown. */
export const familyOf = ({ family, hops }: Question): string =>
  family ?? (hops === undefined ? 'question' : `${hops}-hop`);

/** The canonical content. Equal contents are equal tasks. */
export const contentOf = ({ question, answers, supporting, hops }: Question): Json => ({
  question,
  answers: [...answers],
  supporting: [...supporting],
  hops: hops ?? null,
});

/** Why a document misleads; undefined where nothing is known about it, or it is good. */
export type Misleads = (id: string) => boolean | undefined;
