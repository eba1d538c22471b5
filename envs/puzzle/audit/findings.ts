import { messageOf } from '../../core/errors.ts';

/** What the audit checks, by name. */
export const puzzleAuditChecks = {
  repeatable: 'a seed gives the same question and solution again',
  gold: 'the known solution is accepted',
  mutants: 'a wrong answer near the solution is rejected',
  equivalents: 'other ways to write the solution are accepted',
  hostile: 'odd, huge and foreign texts are rejected',
  exceptions: 'no call throws: an exception is a fault, and never a score of 0',
  frozen: 'no call changes a question or an answer',
  unique: 'where solutions are unique, the solver finds this one and no other',
  solver: 'the solver finds a solution, and the verifier accepts it',
  chance: 'random answers are right no more often than chance allows',
  guess: 'random answers are readable',
  variety: 'seeds repeat a question no more often than chance allows',
  disjoint: 'no question is in two panels',
  difficulty: 'the hardest level costs the solver no less than the easiest',
  plan: 'the moves of the known solution are listed and solve the puzzle',
  expert: 'the moves of the expert are listed',
} as const;

export type PuzzleAuditCheck = keyof typeof puzzleAuditChecks;

/** A check that failed. */
export interface PuzzleAuditFinding {
  readonly check: PuzzleAuditCheck;
  /** The question, such as `seed 3, level 2`. */
  readonly where: string;
  readonly what: string;
}

/** At most this many findings of one check are kept. */
const mostOfOneCheck = 3;

/** Collects what fails. */
export class Findings {
  readonly list: PuzzleAuditFinding[] = [];

  add(check: PuzzleAuditCheck, where: string, what: string): void {
    if (this.list.filter((finding) => finding.check === check).length >= mostOfOneCheck) return;
    this.list.push({ check, where, what });
  }

  /** Calls a part of the puzzle. An exception is a finding, and the value is then undefined. */
  attempt<Value>(where: string, call: () => Value): Value | undefined {
    try {
      return call();
    } catch (thrown) {
      const isMutation =
        thrown instanceof TypeError &&
        /read only|not extensible|Cannot (assign|delete|add)/.test(thrown.message);
      this.add(isMutation ? 'frozen' : 'exceptions', where, messageOf(thrown));
      return undefined;
    }
  }
}
