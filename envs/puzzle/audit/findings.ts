import { messageOf } from '../../core/errors.ts';

/** What the audit checks, by name. */
export const puzzleAuditChecks = {
  repeatable: 'a seed gives the same question and solution again',
  gold: 'the known solution is accepted',
  leak: 'no member of the question is the solution',
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

/** How to fix what a check finds. */
const fixes: Readonly<Record<PuzzleAuditCheck, string>> = {
  repeatable: 'Draw every choice of generate from its rng.',
  gold: 'Fix verify, answer.write and answer.read together: what generate solves must be right.',
  leak: 'Leave the solution out of the question, and let verify apply the rules.',
  mutants:
    'Let verify test every rule. If this answer is right, remove it from audit.mutants, or leave out unique.',
  equivalents:
    'Let answer.read parse this form, and let verify apply the rules instead of comparing with one solution.',
  hostile: 'Let answer.read return undefined for a text outside of the format.',
  exceptions: 'Return undefined from answer.read and false from verify instead. Fix a generator that throws.',
  frozen: 'Work on a copy, such as [...list] or structuredClone(question).',
  unique: 'Let generate draw only questions with one solution, or leave out unique.',
  solver: 'Fix solve, or verify if the solution of the solver is right.',
  chance: 'Make verify stricter. If the rules allow so many answers, raise audit.chance.',
  guess: 'Let audit.guess return answers that answer.write and answer.read can pass on.',
  variety: 'Let generate draw from more questions, or give their number as audit.variety.',
  disjoint: 'Keep every member of a question in its schema: a hash of the question decides its panel.',
  difficulty: 'Order levels from the easiest to the hardest.',
  plan: 'Return listed moves from moves.plan that end in a solved state within turnLimit.',
  expert: 'Return a move of moves.list from moves.next, or undefined.',
};

/** A check that failed. */
export interface PuzzleAuditFinding {
  readonly check: PuzzleAuditCheck;
  /** The question, such as `seed 3, level 2`. */
  readonly where: string;
  readonly what: string;
  readonly fix: string;
}

/** At most this many findings of one check are kept. */
const mostOfOneCheck = 3;

/** Collects what fails. */
export class Findings {
  readonly list: PuzzleAuditFinding[] = [];
  readonly #times = new Map<PuzzleAuditCheck, number>();

  add(check: PuzzleAuditCheck, where: string, what: string): void {
    const times = (this.#times.get(check) ?? 0) + 1;
    this.#times.set(check, times);
    if (times <= mostOfOneCheck) this.list.push({ check, where, what, fix: fixes[check] });
  }

  /** The first finding of each check, with the number of all of them. */
  firsts(): readonly (PuzzleAuditFinding & { readonly times: number })[] {
    return [...this.#times].flatMap(([check, times]) => {
      const first = this.list.find((finding) => finding.check === check);
      return first === undefined ? [] : [{ ...first, times }];
    });
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
