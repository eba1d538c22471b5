import type { z } from 'zod';
import type { EnvDefinition, EnvId } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { PanelInfo } from '../core/task.ts';
import { checkAudit } from './audit-law.ts';
import { checkDefinition } from './definition-laws.ts';
import { Examiner } from './examine.ts';
import { checkExperts } from './expert-laws.ts';
import { checkHidden } from './hidden-laws.ts';
import { Keeper } from './keeper.ts';
import { checkAliases, checkAnchors, checkSplits } from './key-laws.ts';
import type { Law } from './laws.ts';
import { selectLaws } from './law-selection.ts';
import { planOf, type CheckOptions, type Opener } from './options.ts';
import { checkOrder } from './order-laws.ts';
import { checkPanels, checkRefusals, checkTasks, notePurposes, sampleTasks } from './panel-laws.ts';
import { checkPay } from './pay-law.ts';
import { noteEpisodes } from './play-notes.ts';
import { playOn, record, scriptsFor, type Recording } from './play.ts';
import { checkConcurrency, checkLuck, checkRepeat, checkReuse } from './repeat-laws.ts';
import { describeFinding, ReportWriter, type CheckReport } from './report.ts';
import { checkResources } from './resource-laws.ts';
import { checkSearcherSight, checkSearcherTurns } from './searcher-law.ts';
import { checkSnapshots, saveWorlds, spread, type SavedPoint } from './snapshot-laws.ts';
import { Subject, type AnyHost } from './subject.ts';
import { checkTwins, type Twins } from './twin-law.ts';

/**
 * Checks an env against all laws of `laws.ts` and reports its findings. It plays episodes of every panel,
 * replays them under other conditions and compares whole transcripts. It never throws for a finding. Env code
 * that never returns, such as a loop without an await, cannot be interrupted from here. `cairn-gym check` ends
 * its process.
 *
 * @throws UsageError for wrong options
 * @throws the signal's reason when the signal aborts
 */
export async function checkOpened<Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<EnvId, Config, Obs, Act>,
  open: Opener,
  options: CheckOptions<Config, Obs, Act> = {},
): Promise<CheckReport> {
  const plan = planOf({ ...options });
  const report = new ReportWriter(selectLaws(options.laws));
  const input = options.config ?? {};
  const config = checkDefinition(definition, input, report);
  if (config !== undefined) {
    const signal = options.signal ?? new AbortController().signal;
    const actions = options.actions?.bind(options) as Subject['actions'];
    const subject = new Subject({ definition, input, config, plan, report, opener: open, actions, signal });
    await checkSubject(subject, options);
  }
  return report.finish({ env: definition.id, config, expected: definition.unchecked });
}

/** Throws a `UsageError` that lists the errors of the report. Does nothing where there are none. */
export function assertReport(report: CheckReport): void {
  const errors = report.findings.filter((finding) => finding.severity === 'error');
  const [first] = errors;
  if (first === undefined) return;
  throw new UsageError({
    where: `checkEnv of ${report.env}`,
    what: `${errors.length === 1 ? 'a law is' : `${errors.length} laws are`} broken.\n${errors.map(describeFinding).join('\n')}\n`,
    fix: first.fix,
  });
}

/**
 * Runs the parts of a check in turn. Where a part cannot continue, its laws are marked as unchecked. After a
 * hang nothing more is tried.
 */
class Parts {
  readonly #subject: Subject;
  #hung = false;

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /**
   * Runs `work`, which checks the laws of `tested`, or all laws where none is named. It is skipped where no
   * law of `tested` and `served` is selected.
   */
  async run(
    tested: readonly Law[],
    work: () => Promise<void> | void,
    served: readonly Law[] = [],
  ): Promise<void> {
    const { report } = this.#subject;
    if (tested.length > 0 && ![...tested, ...served].some((law) => report.isSelected(law))) return;
    if (this.#hung) return this.skip(tested, 'an earlier call hung');
    try {
      await work();
    } catch (thrown) {
      this.#hung = this.#subject.failed(thrown) === 'hang';
      if (!this.#hung) await this.#subject.closeEnvs();
      this.skip(tested, `a call ${this.#hung ? 'hung' : 'failed'} before all of it was tried`);
    }
  }

  skip(untested: readonly Law[], why: string): void {
    for (const law of untested) this.#subject.report.unchecked(law, why);
  }
}

type Selection = Pick<CheckOptions<z.ZodType, unknown, unknown>, 'panels' | 'laws'>;

async function checkSubject(subject: Subject, { panels: only, laws }: Selection): Promise<void> {
  const parts = new Parts(subject);
  try {
    const hosts: AnyHost[] = [];
    await parts.run([], async () => {
      for (const name of ['first', 'second']) hosts.push(await subject.open(subject.run(name)));
    });
    const [first, second] = hosts;
    if (first === undefined || second === undefined) return;
    const recordings = await playAll(subject, parts, { hosts: [first, second], only });
    await parts.run(['audit'], () => checkAudit(subject, second, laws?.includes('audit') === true));
    await subject.closeAll();
    await parts.run(['resources'], () => checkResources(subject, recordings));
  } finally {
    await subject.closeAll();
  }
}

/** Everything that is checked while the hosts are open. */
async function playAll(
  subject: Subject,
  parts: Parts,
  {
    hosts,
    only,
  }: { readonly hosts: readonly [AnyHost, AnyHost]; readonly only: readonly string[] | undefined },
): Promise<readonly Recording[]> {
  const keeper = new Keeper();
  let panels: readonly PanelInfo[] = [];
  await parts.run(['panels'], () => void (panels = checkPanels(subject, hosts[0], only)));
  let twins: readonly Twins[] = [];
  await parts.run(['tasks', 'panels'], () => void (twins = checkTasks(subject, hosts, panels)));
  await parts.run(['tasks'], () => checkRefusals(subject, hosts[0], panels, subject.run('refusals')));
  const tasks = panels.flatMap((panel) => sampleTasks(subject, panel, subject.plan.tasksPerPanel));
  const recordings: Recording[] = [];
  const seen = ['json', 'schema', 'text', 'admissible', 'reward', 'steps-left', 'secrets'] as const;
  const play = async (): Promise<void> => {
    const on = {
      host: hosts[0],
      run: subject.run('first'),
      examiner: new Examiner(subject, hosts[0]),
      keeper,
      stale: new Set<string>(),
    };
    await playOn(subject, scriptsFor(subject, hosts[0], tasks), async (script) => {
      const recording = await record(subject, on, script);
      recordings.push(recording);
      return recording;
    });
    await parts.run(['tasks'], () => checkTwins(subject, on, twins));
  };
  await parts.run(seen, play, ['playable']); // `playable` is always selected
  const mute = noteEpisodes(subject, recordings);
  if (mute !== undefined)
    parts.skip(['repeat', 'reuse', 'concurrency', 'order', 'snapshot', 'state-key-alias', 'hidden'], mute);
  noteSample(subject, panels, recordings);
  await parts.run([], () => notePurposes(subject, hosts[0]));
  await parts.run(['reward'], () => checkPay(subject, recordings));
  const whole = recordings.filter((recording) => recording.end !== 'crashed');
  await playAgain(subject, parts, hosts[1], whole);
  await lookBehind(subject, parts, { host: hosts[1], keeper, recordings: whole });
  keeper.verify(subject.report);
  return whole;
}

/** Notes how little was checked, for a report without findings. */
function noteSample(
  { report }: Subject,
  panels: readonly PanelInfo[],
  recordings: readonly Recording[],
): void {
  const counts = panels.map(({ name, size }) => ({
    name,
    size,
    played: new Set(recordings.flatMap(({ task }) => (task.panel === name ? [task.index] : []))).size,
  }));
  const parts = counts
    .filter(({ played, size }) => played < size)
    .map(({ name, size, played }) => `${played} of ${size} tasks of ${name}`);
  if (parts.length > 0) report.note(`${parts.join(', ')} were played; --tasks (tasksPerPanel) for more`);
}

/** Replays the same episodes under other conditions, on another host. */
async function playAgain(
  subject: Subject,
  parts: Parts,
  host: AnyHost,
  recordings: readonly Recording[],
): Promise<void> {
  await parts.run(['repeat'], () => checkRepeat(subject, host, recordings));
  await parts.run(['reuse'], () => checkReuse(subject, host, recordings));
  await parts.run(['concurrency'], () => checkConcurrency(subject, host, recordings));
  await parts.run(['initial-state', 'luck', 'anchor-key'], () => checkLuck(subject, host, recordings));
  await parts.run(['order'], () => checkOrder(subject, host, recordings));
  await parts.run(['experts'], () => checkExperts(subject, host, recordings));
}

/** Checks keys, snapshots and hidden facts. These laws need envs that are put into a state to be compared. */
async function lookBehind(
  subject: Subject,
  parts: Parts,
  {
    host,
    keeper,
    recordings,
  }: { readonly host: AnyHost; readonly keeper: Keeper; readonly recordings: readonly Recording[] },
): Promise<void> {
  const points = recordings.flatMap((recording) => recording.moves.map((_, step) => ({ recording, step })));
  await parts.run(['anchor-key'], () => checkAnchors(subject, points));
  const unsteady = (['repeat', 'reuse', 'concurrency'] as const).find((law) => subject.report.isBroken(law));
  if (unsteady !== undefined) {
    const why = `the env breaks the law ${unsteady}, so episodes cannot be compared`;
    const searches = host.experts?.searcher !== undefined;
    return parts.skip(
      [
        'snapshot',
        'state-key-alias',
        'state-key-split',
        'hidden',
        ...(searches ? (['experts'] as const) : []),
      ],
      why,
    );
  }
  let saved: readonly SavedPoint[] = [];
  await parts.run(
    ['snapshot'],
    async () => void (saved = await saveWorlds(subject, host, keeper, recordings)),
    ['json', 'mutation', 'state-key-alias', 'state-key-split', 'hidden', 'experts'],
  );
  if (saved.length === 0) parts.skip(['snapshot', 'state-key-split'], 'there are no snapshots to look at');
  await parts.run(['experts'], () => checkSearcherTurns(subject, host, recordings));
  const few = spread(saved, subject.plan.points);
  await parts.run(['snapshot'], () => checkSnapshots(subject, host, few));
  await parts.run(['state-key-split'], () => checkSplits(subject, saved));
  await parts.run(['state-key-alias'], () => checkAliases(subject, host, saved.length > 0 ? saved : points));
  await parts.run(['hidden'], () => checkHidden(subject, host, saved));
  await parts.run(['experts'], () => checkSearcherSight(subject, host, saved));
}
