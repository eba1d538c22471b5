import type { Facts } from '../../engines/planning/facts.ts';

/** The world as texts are written from it. */
export interface VisibleFacts extends Facts {
  /** Whether an action made the fact false, and none true again. */
  denies(fact: number): boolean;
  /** Whether the fact holds, which the reader of the text will know. */
  shows(fact: number): boolean;
}
