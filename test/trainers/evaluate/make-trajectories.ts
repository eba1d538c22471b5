import {
  trajectorySchema,
  type Stop,
  type Trajectory,
  type TrajectoryGroup,
} from '../../../agents/rollout/trajectory.ts';
import { fingerprintTasks, type TaskPanel } from '../../../envs/core/task.ts';
import { reward } from '../../../envs/core/step.ts';
import type { EvaluationFacts } from '../../../trainers/results/summarise.ts';

export type Ending = 'solved' | 'failed' | 'truncated' | 'faulted';

const families = ['cool', 'heat', 'look'];

export function makePanel(tasks: number, name = 'dev'): TaskPanel {
  return {
    env: 'maze-v1',
    config: { size: 5 },
    name,
    purpose: 'dev',
    tasks: Array.from({ length: tasks }, (_, index) => ({ panel: name, index })),
    families: Array.from({ length: tasks }, (_, index) => families[index % families.length] as string),
    fingerprint: fingerprintTasks('maze-v1', { size: 5 }, [name, tasks]),
  };
}

function stopOf(ending: Ending): Stop {
  if (ending === 'truncated') return { kind: 'truncated', limit: 'wall' };
  if (ending === 'faulted')
    return { kind: 'faulted', fault: { kind: 'env-crashed', where: 'step', message: 'the maze fell in' } };
  return { kind: 'terminated', outcome: ending, ...(ending === 'failed' ? { limit: 'turn-limit' } : {}) };
}

/** A trajectory of `turns` steps that pays 1 at the end when it is solved and is charged 0.1 a step. */
export function makeTrajectory(index: number, ending: Ending, turns = 3): Trajectory {
  return {
    schema: trajectorySchema,
    path: `evaluate/dev/${index}`,
    env: { id: 'maze-v1', config: { size: 5 } },
    task: { panel: 'dev', index },
    family: families[index % families.length] as string,
    agent: 'walker',
    instruction: 'leave the maze',
    steps: Array.from({ length: turns }, (_, step) => ({
      observation: `cell ${step}`,
      seat: 0,
      stateKey: undefined,
      anchorKey: undefined,
      stepsLeft: undefined,
      reply: { kind: 'action', action: 'north' },
      decision: undefined,
      policyVersion: undefined,
      verdict: 'admissible',
      reward: reward({ goal: ending === 'solved' && step === turns - 1 ? 1 : 0 }),
      penalty: 0.1,
    })),
    finalObservation: ending === 'faulted' ? undefined : 'out',
    finalStateKey: undefined,
    finalAnchorKey: undefined,
    stop: stopOf(ending),
  };
}

/** A group a task; `endings[task]` holds how each of its episodes ended. */
export function makeGroups(endings: readonly (readonly Ending[])[]): readonly TrajectoryGroup[] {
  return endings.map((members, index) => ({
    task: { panel: 'dev', index },
    members: members.map((ending) => makeTrajectory(index, ending)),
  }));
}

export function makeFacts(tasks: number, changes: Partial<EvaluationFacts> = {}): EvaluationFacts {
  return {
    agent: 'walker',
    panel: makePanel(tasks),
    shown: {
      kind: 'choice',
      admissible: true,
      history: 'all steps',
      decoding: { kind: 'greedy' },
      checkpoint: 'iteration-40',
    },
    retried: 0,
    seconds: 1.5,
    versions: { 'cairn-gym': '0.1.0' },
    ...changes,
  };
}
