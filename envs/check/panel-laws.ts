import type { Context } from '../core/context.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { largestPanel } from '../core/host-shape.ts';
import { canonicalJson } from '../core/json.ts';
import { isRecord, nameOf } from '../core/result-shape.ts';
import { didYouMean, nearest } from '../core/near-miss.ts';
import type { PanelInfo, TaskInfo, TaskRef } from '../core/task.ts';
import { attemptNow } from './attempt-now.ts';
import { shorten, textOf } from './turn-view.ts';
import type { AnyHost, Subject } from './subject.ts';
import type { Twins } from './twin-law.ts';

interface Wrong {
  readonly what: string;
  readonly fix: string;
}

/** Validates the panels of a host. Returns those that can be played. */
export function checkPanels(
  subject: Subject,
  host: AnyHost,
  only: readonly string[] | undefined,
): readonly PanelInfo[] {
  const names = new Set<string>();
  const sound = host.panels.filter((panel) => {
    subject.report.checked('panels');
    const wrong = panelFault(panel, names);
    names.add(panel.name);
    if (wrong !== undefined)
      subject.report.found({ law: 'panels', where: { call: `panel ${panel.name}` }, ...wrong });
    return wrong === undefined;
  });
  if (host.panels.length === 0) {
    const what = 'the list is empty, so there is nothing to play.';
    subject.report.found({
      law: 'panels',
      where: { call: 'panels' },
      what,
      fix: 'Define at least the panels train and dev.',
    });
  }
  const absent = only?.find((name) => !names.has(name));
  if (absent !== undefined && names.size > 0) {
    const what = `${subject.definition.id} has no panel "${absent}".`;
    throw new UsageError({
      where: 'options of checkEnv',
      what,
      fix: `${didYouMean(nearest(absent, [...names]))}Choose one of ${[...names].join(', ')}.`,
    });
  }
  return sound.filter((panel) => only === undefined || only.includes(panel.name));
}

/** Notes what training would lack. An env with held-out panels alone is valid but can only be played. */
export function notePurposes({ report }: Subject, { panels }: AnyHost): void {
  const missing = ['train', 'dev'].filter((purpose) => panels.every((panel) => panel.purpose !== purpose));
  if (panels.length === 0 || missing.length === 0) return;
  report.note(
    `training needs a panel of purpose train, and one of purpose dev to choose on: there is none of purpose ${missing.join(', none of purpose ')}`,
  );
}

function panelFault(panel: PanelInfo, names: ReadonlySet<string>): Wrong | undefined {
  if (typeof panel.name !== 'string' || panel.name === '')
    return { what: 'it has no name.', fix: 'Give it a name, such as train.' };
  if (names.has(panel.name))
    return { what: 'two panels have this name.', fix: 'Give each panel a unique name.' };
  if (!Number.isInteger(panel.size) || panel.size < 1) {
    return { what: `its size is ${String(panel.size)}.`, fix: 'Use an integer of at least 1.' };
  }
  if (panel.size > largestPanel) {
    return {
      what: `its size is ${panel.size}.`,
      fix: `A panel is read as a whole, so give it at most ${largestPanel} tasks.`,
    };
  }
  if (['train', 'dev', 'held-out'].includes(panel.purpose)) return undefined;
  return {
    what: `its purpose is ${shorten(textOf(panel.purpose))}.`,
    fix: 'Choose train, dev or held-out.',
  };
}

/** Tasks of a panel: the first, the last, and random others. */
export function sampleTasks(subject: Subject, panel: PanelInfo, most: number): readonly TaskRef[] {
  const indexes = new Set([0, panel.size - 1].slice(0, most));
  const rng = subject.rng.fork(`tasks-${panel.name}`);
  while (indexes.size < Math.min(most, panel.size)) indexes.add(rng.int(panel.size));
  return [...indexes].toSorted((a, b) => a - b).map((index) => ({ panel: panel.name, index }));
}

/**
 * A task that two hosts describe must be the same, and panels of different purposes must share no task.
 * Returns tasks of equal content.
 */
export function checkTasks(
  subject: Subject,
  hosts: readonly [AnyHost, AnyHost],
  panels: readonly PanelInfo[],
): readonly Twins[] {
  const twins: Twins[] = [];
  const owners = new Map<string, { readonly panel: PanelInfo; readonly task: TaskRef }>();
  for (const panel of panels) {
    subject.report.checked('panels');
    for (const [at, task] of sampleTasks(subject, panel, subject.plan.contentsPerPanel).entries()) {
      const content = describedContent(subject, at % 4 === 0 ? [hosts[0], ...hosts] : hosts, task);
      if (content === undefined) continue;
      const owner = owners.get(content);
      owners.set(content, owner ?? { panel, task });
      if (owner === undefined) continue;
      twins.push({ first: owner.task, second: task });
      if (owner.panel.purpose === panel.purpose) continue;
      const twin = `${owner.task.panel}/${owner.task.index}`;
      subject.report.found({
        law: 'panels',
        where: { task },
        what: `its content equals that of task ${twin}, but one panel is for ${panel.purpose}, the other for ${owner.panel.purpose}.`,
        fix: 'Assign tasks to panels by a hash of their content.',
      });
    }
  }
  return twins;
}

/**
 * The task's content as canonical text; undefined where the description is invalid.
 * @param hosts each describes it once; one that is named twice must say the same again
 */
function describedContent(subject: Subject, hosts: readonly AnyHost[], task: TaskRef): string | undefined {
  subject.report.checked('tasks');
  const described = attemptNow(() => hosts.map((host) => host.describeTask(task)));
  const threw = {
    what: `it threw: ${described.kind === 'threw' ? described.message.replace(/\.$/, '') : ''}.`,
    fix: 'Describe every task of the panel.',
  };
  const fault = described.kind === 'threw' ? threw : taskFault(described.value);
  if (fault !== undefined)
    subject.report.found({ law: 'tasks', where: { task, call: 'describeTask' }, ...fault });
  return fault === undefined && described.kind === 'returned'
    ? canonicalJson(described.value[0]?.content)
    : undefined;
}

function taskFault(described: readonly TaskInfo[]): Wrong | undefined {
  const [info] = described;
  const [first = '', ...others] = described.map(textOf);
  if (!isRecord(info))
    return {
      what: `it returned ${nameOf(info)}, but a task must be an object.`,
      fix: 'Return family, instruction and content.',
    };
  const other = others.find((text) => text !== first);
  if (other !== undefined) {
    const what = `a second description is ${shorten(other)} instead of ${shorten(first)}.`;
    return { what, fix: 'Derive a task from config, panel and index alone.' };
  }
  if (typeof info?.family !== 'string' || info.family === '') {
    return { what: 'it has no family.', fix: 'Return a family: tables break results down by it.' };
  }
  if (info.instruction !== undefined && (typeof info.instruction !== 'string' || info.instruction === '')) {
    return {
      what: 'its instruction is empty.',
      fix: 'Describe the task in words, or omit the instruction where only playing shows it.',
    };
  }
  const content = attemptNow(() => canonicalJson(info.content));
  if (content.kind === 'returned') return undefined;
  return {
    what: `its content is not plain JSON: ${content.message}.`,
    fix: 'Use only values that JSON can represent, because the content is hashed into the fingerprint of the panel.',
  };
}

/** `describeTask` and `reset` must refuse tasks and panels that do not exist. */
export async function checkRefusals(
  subject: Subject,
  host: AnyHost,
  panels: readonly PanelInfo[],
  run: Context,
): Promise<void> {
  const env = await subject.create(host, run);
  const beside = panels.flatMap(({ name, size }) =>
    [size, -1, 0.5].map((index): TaskRef => ({ panel: name, index })),
  );
  for (const task of [{ panel: 'no-such-panel', index: 0 }, ...beside]) {
    const calls = {
      describeTask: await subject.attempt(run, { task, call: 'describeTask' }, () =>
        Promise.resolve(host.describeTask(task)),
      ),
      reset: await subject.attempt(run, { task, call: 'reset' }, (context) => env.reset(task, context)),
    };
    for (const [call, answer] of Object.entries(calls)) {
      subject.report.checked('tasks');
      if (answer.kind === 'threw' && UsageError.is(answer.thrown)) continue;
      const did = answer.kind === 'returned' ? 'was taken' : `threw ${shorten(messageOf(answer.thrown))}`;
      const what = `this task does not exist, but the call ${did}.`;
      subject.report.found({
        law: 'tasks',
        where: { task, call },
        what,
        fix: 'Refuse it with a UsageError, as assertTask does.',
      });
    }
  }
  await subject.close(env, run);
}
