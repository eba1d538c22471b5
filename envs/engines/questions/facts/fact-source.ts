import type { StoredDocument } from '../../retrieval/document.ts';
import type { PanelName } from '../files/question-source.ts';
import type { FactKind, FactRelation } from './fact-relations.ts';

/** A fact of a subject: the object is another subject by its number, or a text that ends a chain. */
export interface Fact {
  readonly relation: FactRelation;
  readonly object: number | string;
}

/**
 * Subjects with certain facts, by number from 0. Each has a document. Only relations with exactly one object are facts, so the
 * answer of a chain of facts is unique.
 */
export interface FactSource {
  readonly size: number;
  idOf(subject: number): string;
  find(id: string): number | undefined;
  kindOf(subject: number): FactKind;
  /** A name that no other subject has; undefined where there is none. */
  labelOf(subject: number): string | undefined;
  /** All names, the plainest first; each is right as an answer. */
  namesOf(subject: number): readonly string[];
  /** The panel whose questions may be about the subject. */
  panelOf(subject: number): PanelName;
  facts(subject: number): readonly Fact[];
  /** Sentences that state no fact of a relation. */
  notesOf(subject: number): readonly string[];
  /** What the title of a document without a label has behind the name. */
  hintOf(subject: number): string;
}

/** A source of facts with the title and the text of its documents. */
export interface FactDocuments extends FactSource {
  document(subject: number): StoredDocument;
}
