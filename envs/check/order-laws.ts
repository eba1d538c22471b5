import type { Context } from '../core/context.ts';
import { UsageError } from '../core/errors.ts';
import { replay, reset, type Recording } from './play.ts';
import type { FindingPlace } from './report.ts';
import { copy, shorten } from './turn-view.ts';
import type { AnyEnv, AnyHost, Subject } from './subject.ts';

/** Makes calls in the wrong order, and closes twice. */
export async function checkOrder(
  subject: Subject,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  const run = subject.run('order');
  const played = recordings.find((recording) => recording.moves.length > 0);
  if (played === undefined) {
    subject.report.unchecked('order', 'no episode has a step');
    return;
  }
  const action = played.moves[0]?.action;
  const env = await subject.create(host, run);
  await refused(subject, run, { call: 'step before reset' }, stepping(env, action));
  await checkAfterEnd(subject, env, run, recordings);
  await reset(subject, env, played.task, run);
  await subject.close(env, run);
  await refused(subject, run, { task: played.task, call: 'step after close' }, stepping(env, action));
  await refused(subject, run, { task: played.task, call: 'reset after close' }, (context) =>
    env.reset(played.task, context),
  );
  await closedAgain(subject, run, env);
}

async function checkAfterEnd(
  subject: Subject,
  env: AnyEnv,
  run: Context,
  recordings: readonly Recording[],
): Promise<void> {
  const ended = recordings.find((recording) => recording.end === 'ended');
  if (ended === undefined) {
    subject.report.unchecked(
      'order',
      `no episode ended within ${subject.plan.maxSteps} steps, so a step after the end was not tried`,
    );
    return;
  }
  await replay(subject, { env, run: subject.run('order-end') }, ended, () => true);
  const last = ended.moves.at(-1)?.action;
  await refused(
    subject,
    run,
    { task: ended.task, step: ended.moves.length, call: 'step after the end' },
    stepping(env, last),
  );
}

const stepping = (env: AnyEnv, action: unknown) => (context: Context) => env.step(copy(action), context);

async function refused(
  subject: Subject,
  run: Context,
  where: FindingPlace,
  work: (context: Context) => Promise<unknown>,
): Promise<void> {
  subject.report.checked('order');
  const answer = await subject.attempt(run, where, work);
  if (answer.kind === 'threw' && UsageError.is(answer.thrown)) return;
  const did = answer.kind === 'threw' ? `threw ${shorten(String(answer.thrown))}` : 'returned a result';
  subject.report.found({
    law: 'order',
    where,
    what: `it ${did} instead of throwing a UsageError.`,
    fix: 'Open the env with openEnv, whose guard refuses the call, or refuse it in the env.',
  });
}

async function closedAgain(subject: Subject, run: Context, env: AnyEnv): Promise<void> {
  subject.report.checked('order');
  const answer = await subject.attempt(run, { call: 'second close' }, () => env.close());
  if (answer.kind === 'returned') return;
  subject.report.found({
    law: 'order',
    where: { call: 'second close' },
    what: `it threw ${shorten(String(answer.thrown))}.`,
    fix: 'Make a second close do nothing.',
  });
}
