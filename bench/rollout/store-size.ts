import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import type { Agent } from '../../agents/core/agent.ts';
import { createExpertAgent } from '../../agents/policy/expert.ts';
import { createRandomAgent } from '../../agents/policy/random.ts';
import { createEnvPool } from '../../agents/rollout/env-pool.ts';
import { runGroups } from '../../agents/rollout/group.ts';
import { episodeLimitsSchema } from '../../agents/rollout/limits.ts';
import { readTrajectories } from '../../agents/rollout/store/read-store.ts';
import { openTrajectoryStore } from '../../agents/rollout/store/store.ts';
import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import { createContext } from '../../envs/core/context.ts';
import { householdEnv } from '../../envs/household/definition.ts';
import { commandText } from '../../envs/kit/text-game.ts';
import { openEnv, parseEnvConfig } from '../../envs/open.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';

// How much disk trajectories take, and how fast they are written and read: the household world, 1,000 episodes in groups of 8.

const episodes = 1_000;
const members = 8;

const context = createContext({ seed: 1, now: () => performance.now() });
const host = await openEnv(householdEnv, {}, context);
const envs = createEnvPool(host);
const config = parseEnvConfig(householdEnv, {});

async function play(agent: Agent<string, string>): Promise<readonly TrajectoryGroup[]> {
  const groups: TrajectoryGroup[] = [];
  const plan = {
    envs,
    env: { id: householdEnv.id, config },
    source: host,
    agent,
    limits: episodeLimitsSchema.parse({}),
    label: agent.id,
    members,
    strategy: { kind: 'fail-fast' },
    concurrency: 8,
    tasks: Array.from({ length: episodes / members }, (_, index) => ({ panel: 'train', index })),
    order: 'task',
  } as const;
  for await (const { group } of runGroups(plan, context)) groups.push(group);
  return groups;
}

const megabytes = (bytes: number): number => Math.round(bytes / 10_000) / 100;
const seconds = (since: number): number => Math.round(performance.now() - since) / 1000;

function measure(groups: readonly TrajectoryGroup[]) {
  return inTemporaryFolder('store-size', async (folder) => {
    const writing = performance.now();
    const store = await openTrajectoryStore({ folder, name: 'train' });
    for (const group of groups) await store.append(group);
    await store.close();
    const writeSeconds = seconds(writing);
    const reading = performance.now();
    let read = 0;
    const onTornTail = (): never => {
      throw new Error('the store was closed: it has no torn tail');
    };
    for await (const group of readTrajectories(folder, 'train', { onTornTail })) read += group.members.length;
    if (read !== episodes) throw new Error(`${read} episodes were read, not ${episodes}`);
    const readSeconds = seconds(reading);
    const files = (await readdir(folder)).map((name) => join(folder, name));
    let bytes = 0;
    for (const file of files) bytes += (await stat(file)).size;
    const lines = files.reduce((sum, file) => sum + gunzipSync(readFileSync(file)).length, 0);
    const plain = groups.map((group) => Buffer.from(JSON.stringify(group)));
    return {
      stepsAnEpisode:
        Math.round(
          (10 *
            groups.flatMap((group) => group.members).reduce((sum, member) => sum + member.steps.length, 0)) /
            episodes,
        ) / 10,
      storedMegabytes: megabytes(bytes),
      linesMegabytes: megabytes(lines),
      plainJsonMegabytes: megabytes(plain.reduce((sum, text) => sum + text.length, 0)),
      plainJsonGzippedMegabytes: megabytes(plain.reduce((sum, text) => sum + gzipSync(text).length, 0)),
      writeSeconds,
      readSeconds,
    };
  });
}

const report = {
  what: `disk that ${episodes} episodes of ${householdEnv.id} take, in groups of ${members}, candidates of every step included`,
  ...describeMachine(),
  random: await measure(await play(createRandomAgent({ text: commandText }))),
  searcher: await measure(
    await play(createExpertAgent({ kind: 'searcher', experts: host.experts, text: commandText })),
  ),
};
await envs.close();
await host.close();
printReport(report);
