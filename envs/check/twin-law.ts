import type { TaskRef } from '../core/task.ts';
import { callBefore, record, replay, viewAfter, type Player } from './play.ts';
import { difference, type TurnField } from './turn-view.ts';
import type { Subject } from './subject.ts';

/** Two tasks whose descriptions have equal content. */
export interface Twins {
  readonly first: TaskRef;
  readonly second: TaskRef;
}

/** Pairs that are played. */
const mostPairs = 8;

/** All that an agent sees and is paid. Keys are left out: they may name the task. */
const worldFields: readonly TurnField[] = [
  'kind',
  'outcome',
  'limit',
  'instruction',
  'observation',
  'reward',
  'otherRewards',
  'inadmissible',
  'admissible',
  'text.observation',
  'text.action',
];

/**
 * Tasks of equal content are one world: panels are told apart, and kept apart, by a hash of contents, which is worth nothing where a
 * world depends on more than its content. Plays the first of each pair by lot, and the same moves under the same luck in the second.
 */
export async function checkTwins(subject: Subject, on: Player, pairs: readonly Twins[]): Promise<void> {
  for (const [index, { first, second }] of pairs.slice(0, mostPairs).entries()) {
    const recording = await record(subject, on, { task: first, label: `twins-${index}`, style: 'random' });
    if (recording.end === 'crashed') return;
    const env = await subject.create(on.host, on.run);
    await replay(subject, { env, run: on.run }, { ...recording, task: second }, (sight, step) => {
      subject.report.checked('tasks');
      const differs = difference(viewAfter(recording, step), sight, worldFields);
      if (differs === undefined) return true;
      subject.report.found({
        law: 'tasks',
        where: callBefore(second, step),
        what: `its content is that of task ${first.panel}/${first.index}, but with the same actions and luck ${differs}.`,
        fix: 'Describe in the content everything that the world is made from.',
      });
      return false;
    });
    await subject.close(env, on.run);
  }
}
