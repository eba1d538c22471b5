// A stranger's program, compiled against the packed types with every check on, and run: it must need no more than this.
import {
  createEnvPool,
  createRandomAgent,
  episodeLimitsSchema,
  episodePath,
  isSolved,
  runEpisode,
  scoreOf,
  type Trajectory,
} from 'cairn-gym/agents';
import { createContext, lightsOutEnv, openEnv, readPanel } from 'cairn-gym/envs';
import { createFakeProvider, meets } from 'cairn-gym/sandbox';
import { createCreditEstimator, openBackend } from 'cairn-gym/trainers';

const context = createContext({ seed: 7, now: () => performance.now() });
const config = { size: 3 };
const host = await openEnv(lightsOutEnv, config, context);
const envs = createEnvPool(host);
const panel = readPanel(host, { env: lightsOutEnv.id, config, name: 'dev', limit: 5 });
const played: Trajectory[] = [];
let solved = 0;
let score = 0;
for (const task of panel.tasks) {
  const { family } = host.describeTask(task);
  const path = episodePath({ task, label: 'program', member: 0, retry: 0 });
  const agent = createRandomAgent({ text: lightsOutEnv.text });
  const trajectory = await runEpisode(
    {
      path,
      envs,
      env: { id: lightsOutEnv.id, config },
      agent,
      task,
      family,
      limits: episodeLimitsSchema.parse({}),
    },
    context,
  );
  if (isSolved(trajectory)) solved += 1;
  score += scoreOf(trajectory);
  played.push(trajectory);
}
await envs.close();
await host.close();
const { guarantees } = createFakeProvider(() => ({}), { guarantees: { network: 'none' } });
const { groups } = createCreditEstimator({ kind: 'grpo' }).assign(
  [{ task: { panel: 'dev', index: 0 }, members: played.slice(0, 2) }],
  {},
);
const backend = await openBackend('cpu');
console.log(
  JSON.stringify({
    backend: backend.name,
    credited: groups[0]?.length,
    tasks: panel.tasks.length,
    agrees: solved === score,
    unmet: meets(guarantees, { network: 'none', files: 'private-root' }).length,
  }),
);
