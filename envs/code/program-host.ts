import type { EnvHost, Snapshot } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import { assertTask, type UnavailablePanel, type PanelInfo, type TaskRef } from '../core/task.ts';
import type { SandboxProvider } from '../../sandbox/sandbox.ts';
import type { ProgramAction } from './action.ts';
import type { RewardWeights } from './config.ts';
import type { Exercise } from './exercise.ts';
import type { ProgramObservation } from './observation.ts';
import { ProgramEnv } from './program-env.ts';
import { PieceSearcher } from './searcher.ts';
import { readPoint } from './snapshot.ts';

/** The parts of a host of exercises. */
export interface ProgramHostParts {
  readonly id: string;
  readonly panels: readonly PanelInfo[];
  /** Panels that have no tasks. */
  readonly unavailablePanels?: readonly UnavailablePanel[];
  readonly identity: Json;
  readonly provider: SandboxProvider;
  readonly config: HostConfig;
  /** Creates the exercise of an existing task; called once for each. */
  readonly exercise: (ref: TaskRef) => Exercise;
}

interface HostConfig {
  /**
   * The number of places of assembled programs, which the searcher can play; 0 where programs are written.
   */
  readonly pieces: number;
  readonly maxSteps: number;
  readonly longestProgram: number;
  readonly reward: RewardWeights;
  readonly atOnce: number;
}

/** The host of an env whose answers are programs. Closing it closes the provider. */
export function programHost(parts: ProgramHostParts): EnvHost<ProgramObservation, ProgramAction> {
  const { id, panels, unavailablePanels = [], identity, provider, config } = parts;
  const exercises = new Map<string, Exercise>();
  const exerciseOf = (ref: TaskRef): Exercise => {
    assertTask({ panels, unavailablePanels }, id, ref);
    const key = `${ref.panel}/${ref.index}`;
    const exercise = exercises.get(key) ?? parts.exercise(ref);
    exercises.set(key, exercise);
    return exercise;
  };
  return {
    panels,
    unavailablePanels,
    identity,
    describeTask: (ref) => {
      const { family, instruction, content } = exerciseOf(ref);
      return { family, instruction, content };
    },
    create: async () =>
      new ProgramEnv({
        id,
        maxSteps: config.maxSteps,
        longestProgram: config.longestProgram,
        weights: config.reward,
        exerciseOf,
      }),
    close: async () => provider[Symbol.asyncDispose](),
    maxConcurrency: config.atOnce,
    experts: {
      planner: (ref) => planOf(exerciseOf(ref)),
      ...(config.pieces > 0 ? { searcher: (rng: Rng) => new PieceSearcher(rng) } : {}),
    },
    audit: {
      swapHidden: (snapshot, rng) => swapJudge(snapshot, rng, { panels, maxSteps: config.maxSteps }),
      secrets: (ref) => exerciseOf(ref).secrets,
    },
  };
}

/** Puts every piece right, or hands in the known solution. */
function planOf({ assembly, solution }: Exercise): readonly ProgramAction[] {
  if (assembly === undefined)
    return solution === undefined
      ? [{ kind: 'finish' }]
      : [{ kind: 'submit', program: solution }, { kind: 'finish' }];
  const puts = assembly.right.flatMap((piece, place): readonly ProgramAction[] =>
    piece === assembly.start[place] ? [] : [{ kind: 'put', place: place + 1, piece: piece + 1 }],
  );
  return [...puts, { kind: 'finish' }];
}

/** Swaps the hidden tests for those of another task. Nothing may reveal them before the end. */
function swapJudge(
  snapshot: Snapshot,
  rng: Rng,
  { panels, maxSteps }: { readonly panels: readonly PanelInfo[]; readonly maxSteps: number },
): { readonly snapshot: Snapshot; reveals(action: ProgramAction): boolean } {
  const { world, episode } = readPoint(snapshot);
  const panel = rng.pick(panels);
  let left = maxSteps - episode.steps; // the last step is judged, whatever the action is
  return {
    snapshot: {
      ...snapshot,
      world: { ...world, judgedBy: { panel: panel.name, index: rng.int(panel.size) } } as Json,
    },
    reveals: (action) => {
      left -= 1;
      return action.kind === 'finish' || left <= 0;
    },
  };
}
