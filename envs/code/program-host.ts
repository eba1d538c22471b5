import type { EnvHost, Snapshot } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import type { PanelInfo, TaskRef } from '../core/task.ts';
import type { SandboxProvider } from '../../sandbox/sandbox.ts';
import type { ProgramAction } from './action.ts';
import type { Exercise } from './exercise.ts';
import type { ProgramObservation } from './observation.ts';
import { ProgramEnv, type ProgramStage } from './program-env.ts';
import { PieceSearcher } from './searcher.ts';
import { readSnapshot } from './snapshot.ts';

/** What makes a host of exercises. */
export interface ProgramHostParts extends Omit<ProgramStage, 'exerciseOf'> {
  readonly panels: readonly PanelInfo[];
  readonly identity: Json;
  readonly provider: SandboxProvider;
  readonly atOnce: number;
  /** Whether programs are put together of pieces, which the searcher can do. */
  readonly assembled: boolean;
  readonly exerciseOf: (ref: TaskRef) => Exercise;
}

/** The host of an env in which programs answer. Closing it closes the provider. */
export function programHost(parts: ProgramHostParts): EnvHost<ProgramObservation, ProgramAction> {
  const { panels, identity, provider, atOnce, assembled, exerciseOf } = parts;
  return {
    panels,
    identity,
    describeTask: (ref) => {
      const { family, instruction, content } = exerciseOf(ref);
      return { family, instruction, content };
    },
    create: async () => new ProgramEnv(parts),
    close: async () => provider[Symbol.asyncDispose](),
    mostAtOnce: atOnce,
    experts: {
      planner: (ref) => planOf(exerciseOf(ref)),
      ...(assembled ? { searcher: (rng: Rng) => new PieceSearcher(rng) } : {}),
    },
    audit: {
      swapHidden: (snapshot, rng) => swapJudge(snapshot, rng, parts),
      secrets: (ref) => exerciseOf(ref).secrets,
    },
  };
}

/** Puts every piece right, or hands the known solution in. */
function planOf({ assembly, solution }: Exercise): readonly ProgramAction[] {
  if (assembly === undefined) return solution === undefined ? [{ kind: 'finish' }] : [{ kind: 'submit', program: solution }, { kind: 'finish' }];
  const puts = assembly.right.flatMap((piece, place): readonly ProgramAction[] => (piece === assembly.start[place] ? [] : [{ kind: 'put', place: place + 1, piece: piece + 1 }]));
  return [...puts, { kind: 'finish' }];
}

/** Has another task's hidden tests judge: until the end nothing may tell. */
function swapJudge(snapshot: Snapshot, rng: Rng, { panels, maxSteps }: ProgramHostParts): { readonly snapshot: Snapshot; reveals(action: ProgramAction): boolean } {
  const { world, episode } = readSnapshot(snapshot);
  const panel = rng.pick(panels);
  let left = maxSteps - episode.steps; // the last step is judged, whatever it does
  return {
    snapshot: { ...snapshot, world: { ...world, judgedBy: { panel: panel.name, index: rng.int(panel.size) } } as Json },
    reveals: (action) => {
      left -= 1;
      return action.kind === 'finish' || left <= 0;
    },
  };
}
