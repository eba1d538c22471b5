import type { TaskRef } from '../core/task.ts';
import { callBefore, record, replay, viewAfter, type Player } from './play.ts';
import { difference, type TurnField } from './turn-view.ts';
import type { Subject } from './subject.ts';

/** Two tasks whose descriptions have equal content. */
export interface Twins {
  readonly first: TaskRef;
  readonly second: TaskRef;
}

/** The most pairs that are played. */
const mostPairs = 8;

/** All that an agent sees and earns. Keys are excluded, because they may name the task. */
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
 * Tasks of equal content must be one world. Panels are kept apart by a hash of contents, which is useless
 * where a world depends on more than its content. The first task of each pair is played at random, and the
 * same moves with the same random stream in the second.
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
        what: `its content equals that of task ${first.panel}/${first.index}, but with the same actions and rng ${differs}.`,
        fix: 'Include in the content everything that the world depends on.',
      });
      return false;
    });
    await subject.close(env, on.run);
  }
}
