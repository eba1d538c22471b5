import path from 'node:path';
import { createEnvPool } from '../../../agents/rollout/env-pool.ts';
import { runGroups } from '../../../agents/rollout/group.ts';
import { episodeLimitsSchema } from '../../../agents/rollout/limits.ts';
import { openTrajectoryStore } from '../../../agents/rollout/store/store.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { createRandomAgent } from '../../../agents/policy/random.ts';
import { createContext } from '../../../envs/core/context.ts';
import { readPanel } from '../../../envs/core/task.ts';
import { openEnv } from '../../../envs/open.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { createRun } from '../../../trainers/run/open-run.ts';

const config = { size: 3 };
const members = 4;

/** Random play of three tasks of lights-out, four episodes each. */
export async function playRandomly(): Promise<readonly TrajectoryGroup[]> {
  const context = createContext({ seed: 1, now: () => 0 });
  const host = await openEnv(lightsOutEnv, config, context);
  const envs = createEnvPool(host);
  const { tasks } = readPanel(host, { env: lightsOutEnv.id, config, name: 'train', limit: 3 });
  const played: TrajectoryGroup[] = [];
  const plan = {
    envs,
    env: { id: lightsOutEnv.id, config },
    agent: createRandomAgent({ text: lightsOutEnv.text }),
    limits: episodeLimitsSchema.parse({}),
    source: host,
    label: 'sample',
    members,
    strategy: { kind: 'fail-fast' },
    concurrency: 4,
    tasks,
    order: 'task',
  } as const;
  for await (const { group } of runGroups(plan, context)) played.push(group);
  await envs.close();
  await host.close();
  return played;
}

/**
 * A run of two iterations as a trainer leaves it, made with the trainer's own parts. It has a checkpoint and the given trajectories, by default
 * of random play.
 */
export async function makeRunFolder(
  folder: string,
  given?: readonly TrajectoryGroup[],
): Promise<readonly TrajectoryGroup[]> {
  const groups = given ?? (await playRandomly());
  const fingerprint = `sha256:${'0'.repeat(64)}`;
  await using run = await createRun(folder, {
    versions: { 'cairn-gym': '0.1.0' },
    panels: { train: { fingerprint, tasks: 1000 } },
    config: { env: lightsOutEnv.id, seed: 1, credit: { kind: 'gigpo' } },
  });
  const store = await openTrajectoryStore({ folder: path.join(folder, 'trajectories'), name: 'train' });
  for (const group of groups) await store.append(group);
  for (const iteration of [1, 2]) {
    await run.metrics.append({
      kind: 'iteration',
      iteration,
      environmentSteps: 100 * iteration,
      episodes: 12 * iteration,
      success: 0.25 * iteration,
      figures: { 'update/loss': -0.5 * iteration },
    });
  }
  await store.flush();
  await run.saveCheckpoint('iteration-00002', {
    facts: { iteration: 2, seed: 1, counters: {}, states: {}, trajectories: { train: store.position } },
    fill: () => Promise.resolve(),
  });
  await store.close();
  return groups;
}
