import type { Facts } from '../../engines/planning/facts.ts';

/** The world on which texts are evaluated. */
export interface VisibleFacts extends Facts {
  /** Whether an action made the fact false, and none made it true again. */
  denies(fact: number): boolean;
  /** Whether the fact holds. The reader of the text then knows the answer. */
  shows(fact: number): boolean;
}
