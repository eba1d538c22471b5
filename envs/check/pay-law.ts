import type { Recording } from './play.ts';
import type { TurnView } from './turn-view.ts';
import type { Subject } from './subject.ts';

/** What an episode came to: its outcome, and what it earned. */
interface Account {
  readonly task: string;
  readonly solved: boolean;
  readonly earned: number;
}

/**
 * Who solves a task must earn more than who fails it, or nothing can be learned from reward. Episodes of one task are compared, as credit
 * does; all of them where no task was both solved and failed. An env may mean it otherwise, so that it is a warning.
 */
export function checkPay({ report }: Subject, recordings: readonly Recording[]): void {
  if (report.isBroken('reward')) return; // what does not add up cannot be compared
  const accounts = recordings.flatMap(accountOf);
  const tasks = [...new Set(accounts.map(({ task }) => task))];
  const byTask = tasks.map((task) => accounts.filter((account) => account.task === task)).filter(hasBoth);
  const groups = byTask.length > 0 ? byTask : [accounts].filter(hasBoth);
  if (groups.length === 0) return;
  report.checked('reward');
  if (groups.some((group) => earnedBy(group, true) > earnedBy(group, false) + 1e-9)) return;
  const compared = groups.flat();
  const [solved, failed] = [true, false].map(
    (kind) => `${compared.filter((account) => account.solved === kind).length} ${kind ? 'solved' : 'failed'}`,
  );
  report.found({
    law: 'reward',
    severity: 'warning',
    where: {},
    what: `the solved episodes earned no more than the failed ones (${solved} ones earned ${shown(earnedBy(compared, true))} on average, ${failed} ones ${shown(earnedBy(compared, false))}): from such rewards nobody learns to solve a task.`,
    fix: 'Pay for the goal on the step that reaches it, such as reward({ solved: 1 }).',
  });
}

const hasBoth = (accounts: readonly Account[]): boolean =>
  accounts.some(({ solved }) => solved) && accounts.some(({ solved }) => !solved);

const shown = (amount: number): string => String(Number(amount.toPrecision(3)));

/** On average. */
function earnedBy(accounts: readonly Account[], solved: boolean): number {
  const these = accounts.filter((account) => account.solved === solved);
  return these.reduce((sum, { earned }) => sum + earned, 0) / these.length;
}

/** None of an episode that did not end by the task's own rules, nor of one in which several seats earn. */
function accountOf({ task, opening, moves }: Recording): readonly Account[] {
  const outcome = moves.at(-1)?.after.outcome;
  if (outcome !== '"solved"' && outcome !== '"failed"') return [];
  if ([opening, ...moves.slice(0, -1).map(({ after }) => after)].some(({ seat }) => seat !== '0')) return [];
  const earned = moves.reduce((sum, { after }) => sum + totalOf(after), 0);
  return [{ task: `${task.panel}/${task.index}`, solved: outcome === '"solved"', earned }];
}

/** The rewards keep their law: this is the text of one. */
function totalOf({ reward }: TurnView): number {
  const { total } = JSON.parse(reward) as { readonly total: number };
  return total;
}
