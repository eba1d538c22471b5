import type { Env, EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { benchContext, benchLuck } from './step-speed.ts';

const live = 1_000;
const mebibyte = 1_048_576;

/** True where what is no longer needed can be collected before memory is weighed: with `--expose-gc`. */
export const canCollect = (): boolean => globalThis.gc !== undefined;

export interface LiveMemory {
  readonly heapMiB: number;
  readonly externalMiB: number;
  readonly kept: number;
}

/** Memory of 1,000 episodes of different tasks, all in mid-play after so many `steps`, caches of the host included. */
export async function measureMemory(
  host: EnvHost<string, string>,
  play: Omit<MidPlay, 'episodes'>,
): Promise<LiveMemory> {
  const before = used();
  const kept = await playOn(host, { ...play, episodes: live });
  const after = used();
  for (const env of kept) await env.close();
  const mebibytes = (bytes: number): number => Math.round((bytes / mebibyte) * 10) / 10;
  return {
    heapMiB: mebibytes(after.heapUsed - before.heapUsed),
    externalMiB: mebibytes(after.arrayBuffers - before.arrayBuffers),
    kept: kept.length,
  };
}

export interface MidPlay {
  readonly episodes: number;
  /** So many first tasks of `train` are played, in turn. */
  readonly tasks: number;
  readonly steps: number;
  readonly allows?: (action: string) => boolean;
}

/** Episodes played by chance for so many steps, or to their ends, and all kept open. */
export async function playOn(
  host: EnvHost<string, string>,
  { episodes, tasks, steps, allows = () => true }: MidPlay,
): Promise<readonly Env<string, string>[]> {
  const kept: Env<string, string>[] = [];
  const rng = createRng(2);
  for (let index = 0; index < episodes; index += 1) {
    const env = await host.create();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset(
      { panel: 'train', index: index % tasks },
      benchContext,
    );
    for (let step = 0; step < steps; step += 1) {
      const result = await env.step(rng.pick((turn.admissible ?? []).filter(allows)), benchLuck);
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
    kept.push(env);
  }
  return kept;
}

function used(): NodeJS.MemoryUsage {
  for (let pass = 0; pass < 3; pass += 1) globalThis.gc?.(); // buffers are given back a pass later
  return process.memoryUsage();
}
