import { isSolved, runGroups } from 'cairn-gym/agents';
import { createContext, createRegistry } from 'cairn-gym/envs';
import { openBackend, parseTrainConfig, prepareTraining } from 'cairn-gym/trainers';
import { environments } from './sort-env.ts';

const definition = createRegistry(environments).find('my-lab/sort');
const context = createContext({ seed: 0, now: () => performance.now() });
const policyShape = { kind: 'choice', buckets: 256, width: 16, hidden: 16 };
const input = { env: definition.id, groupSize: 8, policy: policyShape, update: { learningRate: 0.03 } };
await using setup = await prepareTraining({
  config: parseTrainConfig(input, { definition }),
  definition,
  backend: () => openBackend('cpu'),
  versions: {},
  context,
});
const { config, curriculum, envSession, estimator, objective, policy } = setup;

for (let iteration = 0; iteration < 10; iteration += 1) {
  const plan = {
    ...envSession, // the environment's pool, limits and concurrency
    env: { id: definition.id, config: envSession.envConfig },
    source: envSession.host,
    agent: policy.agent({ kind: 'sampled', temperature: config.temperature }),
    tasks: curriculum.next(iteration, undefined),
    label: `iteration-${iteration}`,
    members: config.groupSize,
    order: 'task' as const,
  };
  const groups = [];
  for await (const { group } of runGroups(plan, context)) groups.push(group);
  const credit = estimator.assign(groups);
  const settings = { ...config.update, objective, temperature: config.temperature, synchronous: true };
  await policy.learn({ groups, credit }, settings, context);
  const episodes = groups.flatMap(({ members }) => members);
  console.log(`iteration ${iteration}: ${episodes.filter(isSolved).length} of ${episodes.length} solved`);
}
