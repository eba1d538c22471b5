import type { Recording } from './play.ts';
import type { TurnView } from './turn-view.ts';
import type { Subject } from './subject.ts';

/** The result of an episode: its outcome and what it earned. */
interface Account {
  readonly task: string;
  readonly solved: boolean;
  readonly earned: number;
}

/**
 * A solved task must earn more than a failed one, or reward teaches nothing. Episodes of one task are
 * compared, as in credit assignment. Where no task was both solved and failed, all episodes are compared. An
 * env may do this on purpose, so it is a warning.
 */
export function checkPay({ report }: Subject, recordings: readonly Recording[]): void {
  if (report.isBroken('reward')) return; // rewards that do not add up cannot be compared
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
    what: `the solved episodes earned no more than the failed ones (${solved} ones earned ${shown(earnedBy(compared, true))} on average, ${failed} ones ${shown(earnedBy(compared, false))}). Such rewards cannot teach an agent to solve a task.`,
    fix: 'Pay a reward on the step that reaches the goal, such as reward({ solved: 1 }).',
  });
}

const hasBoth = (accounts: readonly Account[]): boolean =>
  accounts.some(({ solved }) => solved) && accounts.some(({ solved }) => !solved);

const shown = (amount: number): string => String(Number(amount.toPrecision(3)));

/** The mean earning. */
function earnedBy(accounts: readonly Account[], solved: boolean): number {
  const these = accounts.filter((account) => account.solved === solved);
  return these.reduce((sum, { earned }) => sum + earned, 0) / these.length;
}

/** Empty for an episode that did not end by the task's own rules, and for one in which several seats earn. */
function accountOf({ task, opening, moves }: Recording): readonly Account[] {
  const outcome = moves.at(-1)?.after.outcome;
  if (outcome !== '"solved"' && outcome !== '"failed"') return [];
  if ([opening, ...moves.slice(0, -1).map(({ after }) => after)].some(({ seat }) => seat !== '0')) return [];
  const earned = moves.reduce((sum, { after }) => sum + totalOf(after), 0);
  return [{ task: `${task.panel}/${task.index}`, solved: outcome === '"solved"', earned }];
}

/** Parses the total from the text of a reward, which the law `reward` has checked. */
function totalOf({ reward }: TurnView): number {
  const { total } = JSON.parse(reward) as { readonly total: number };
  return total;
}
