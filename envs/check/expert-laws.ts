import { forkContext, StepContext, type Context } from '../core/context.ts';
import { askSearcher, expertly, reset, searcherRng, stepEnv, type Recording } from './play.ts';
import type { Finding } from './report.ts';
import { copy, shorten, textOf } from './turn-view.ts';
import type { AnyActingTurn, AnyHost, Subject } from './subject.ts';

/** The planner's plan must solve its task, and both experts must repeat their choices. */
export async function checkExperts(
  subject: Subject,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  if (host.experts?.planner === undefined && host.experts?.searcher === undefined) {
    return subject.report.unchecked('experts', 'the host has no experts');
  }
  const run = subject.run('experts');
  for (const recording of recordings) {
    if (recording.style === 'planner') checkPlan(subject, host, recording);
    if (recording.style === 'searcher') await checkSearcher(subject, host, run, recording);
  }
  for (const style of ['planner', 'searcher'] as const) {
    const played = recordings.filter((recording) => recording.style === style);
    const solved = played.filter(isSolved);
    if (played.length > 0)
      subject.report.note(`the ${style} solved ${solved.length} of ${played.length} episodes`);
  }
}

const isSolved = ({ end, moves }: Recording): boolean =>
  end === 'ended' && moves.at(-1)?.after.outcome === '"solved"';

function checkPlan(subject: Subject, host: AnyHost, recording: Recording): void {
  const { report, definition, plan: limits } = subject;
  const { task, moves } = recording;
  const wrong = (
    found: Pick<Finding, 'what' | 'fix'> & {
      readonly step: number;
      readonly severity?: Finding['severity'];
    },
  ): void => {
    const { step, ...rest } = found;
    report.found({ law: 'experts', where: { task, step, call: 'planner' }, ...rest });
  };
  report.checked('experts');
  const plan = (expertly({ task, call: 'planner' }, () => host.experts?.planner?.(task)) ?? []).map(textOf);
  const played = moves.slice(0, plan.length).map((move) => move.text);
  if (plan.slice(0, played.length).join() !== played.join()) {
    return wrong({ step: 0, what: 'a second call returned another plan.', fix: 'Plan from the task alone.' });
  }
  if (plan.length > limits.maxSteps) {
    return report.unchecked(
      'experts',
      `a plan has ${plan.length} steps, more than maxSteps ${limits.maxSteps}`,
    );
  }
  if (!isSolved(recording) || moves.length !== plan.length) {
    wrong({
      step: moves.length,
      what: `the plan of ${plan.length} actions does not solve the task: ${howItEnded(recording, plan.length)}.`,
      fix: 'Fix the planner, or remove the task.',
      severity: definition.deterministic ? 'error' : 'warning', // chance may defeat a fixed plan
    });
  }
  const refused = moves.findIndex((move, index) => index < plan.length && move.after.inadmissible === 'true');
  if (refused < 0) return;
  wrong({
    step: refused,
    what: `its action ${shorten(plan[refused] ?? '')} is inadmissible.`,
    fix: 'Plan admissible actions only.',
  });
}

function howItEnded({ moves }: Recording, planned: number): string {
  if (moves.length > planned) return 'the episode did not end';
  const last = moves.at(-1)?.after;
  return last === undefined ? 'it is empty' : `the last result was ${last.kind} ${last.outcome}`;
}

async function checkSearcher(
  subject: Subject,
  host: AnyHost,
  run: Context,
  recording: Recording,
): Promise<void> {
  const { task, label, moves } = recording;
  const wrong = (step: number, what: string, fix: string): void =>
    subject.report.found({ law: 'experts', where: { task, step, call: 'searcher' }, what, fix });
  const env = await subject.create(host, run);
  const episode = forkContext(run, label);
  try {
    const searcher = expertly({ task, call: 'searcher' }, () =>
      host.experts?.searcher?.(searcherRng(subject, label)),
    );
    const luck = new StepContext(episode);
    let turn: AnyActingTurn = await reset(subject, env, task, episode);
    for (const [step, move] of moves.entries()) {
      subject.report.checked('experts');
      const action = askSearcher(subject, searcher, turn, { task, step });
      if (textOf(action) !== move.text) {
        const what = `with the same rng it chose ${shorten(move.text)} first and ${shorten(textOf(action))} the second time.`;
        wrong(step, what, 'Keep a searcher per episode, and let it draw from its rng alone.');
        break;
      }
      if (move.after.inadmissible === 'true') {
        wrong(
          step,
          `the env called its action ${shorten(move.text)} inadmissible.`,
          'Choose admissible actions only.',
        );
      }
      const result = await stepEnv(subject, { env, luck, at: { task, step } }, copy(action));
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
  } finally {
    episode[Symbol.dispose]();
  }
  await subject.close(env, run);
}
