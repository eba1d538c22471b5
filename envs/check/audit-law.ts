import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnyHost, Subject } from './subject.ts';

/** Tasks of each kind or level that an audit tries, where the options give no number. */
const defaultTasks = 100;
/** Milliseconds after which such an audit ends. */
const longestMs = 5_000;

/**
 * Runs the audit that a host offers of its own rules, and reports its findings.
 *
 * @param isRequested whether the options name the law. Only then does an env without an audit count as unchecked.
 */
export async function checkAudit(subject: Subject, host: AnyHost, isRequested: boolean): Promise<void> {
  const { report, plan } = subject;
  const audit = host.audit;
  if (audit?.rules === undefined)
    return isRequested ? report.unchecked('audit', 'the host has no audit.rules') : report.omit('audit');
  const run = subject.run('audit');
  const late = AbortSignal.timeout(longestMs); // the audit computes here, so its time counts
  const isLimited = plan.auditTasks === undefined;
  const rules = await subject.call(run, { call: 'audit.rules' }, async () =>
    audit.rules?.(plan.auditTasks ?? defaultTasks),
  );
  let isCut = false;
  while (
    !isCut &&
    (await subject.call(run, { call: 'audit.rules, advance' }, async () => rules?.advance()))
  ) {
    await nextTurn(); // an audit computes without waiting, and would block the rest of the process
    isCut = isLimited && late.aborted;
  }
  const result = await subject.call(run, { call: 'audit.rules, result' }, async () => rules?.result());
  if (result === undefined) return;
  const { findings, tried } = result;
  report.checked(
    'audit',
    Object.values(tried).reduce((sum, count) => sum + count, 0),
  );
  report.audited(tried);
  for (const { check, where, ...finding } of findings)
    report.found({ law: 'audit', where: { call: `${check}, ${where}` }, ...finding });
  const counts = Object.entries(tried).map(([name, count]) => `${count} ${name}`);
  const end = isCut ? `; it ended after ${longestMs / 1_000} s, --audit-tasks (auditTasks) for more` : '';
  report.note(`the audit tried ${counts.join(', ')}${end}`);
}
