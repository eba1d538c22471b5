import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runGroups } from '../../../agents/rollout/group.ts';
import { Secret } from '../../../agents/servers/secret.ts';
import { createContext } from '../../../envs/core/context.ts';
import { readPanel, type TaskPanel } from '../../../envs/core/task.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { playerKinds } from '../../../lab/players/list.ts';
import { openPlayer } from '../../../lab/players/open-player.ts';
import type { OpenPlayerOptions } from '../../../lab/players/player-kind.ts';
import { playerSpecSchema } from '../../../lab/players/player-spec.ts';
import { resolvePlayers } from '../../../lab/players/resolve-players.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { parseTrainConfig } from '../../../trainers/config/parse-train-config.ts';
import { evaluate } from '../../../trainers/evaluate/evaluate.ts';
import { prepareTraining } from '../../../trainers/loop/setup/training-setup.ts';
import { startTraining } from '../../../trainers/loop/start-training.ts';
import { openEnvSession, rolloutSettingsSchema, type EnvSession } from '../../../trainers/env-session.ts';
import { startStub, type StubServer } from '../../support/stub-chat-server.ts';
import { makeTinyModel } from '../../support/tiny-model.ts';

const context = createContext({ seed: 0, now: () => performance.now() });
const backend = (): ReturnType<typeof openBackend> => openBackend('cpu');
const tasks = 3;

/** Lights out with a baseline that always presses the first button. */
const withBaseline: typeof lightsOutEnv = {
  ...lightsOutEnv,
  open: async (...given) => {
    const host = await lightsOutEnv.open(...given);
    const first = {
      summary: 'nothing',
      play: () => ({ act: () => ({ row: 1, column: 1 }) }),
    };
    return { ...host, experts: { ...host.experts, baselines: { first } } };
  },
};

let folder = '';
let envSession: EnvSession;
let panel: TaskPanel;
let stub: StubServer;
let specs: Readonly<Record<string, object>> = {};

async function train(run: string): Promise<void> {
  const config = parseTrainConfig({
    env: lightsOutEnv.id,
    envConfig: { size: 3 },
    iterations: 1,
    groups: 2,
    groupSize: 2,
    warmStart: { episodes: 0 },
    evaluation: { tasks: 2 },
  });
  await using preparation = await prepareTraining({
    config,
    definition: lightsOutEnv,
    backend,
    versions: { 'cairn-gym': '0.0.0' },
    context,
  });
  await startTraining(preparation, run);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  const settings = rolloutSettingsSchema.parse({ envConfig: { size: 3 }, concurrency: 4 });
  envSession = await openEnvSession(withBaseline, settings, context);
  panel = readPanel(envSession.host, {
    env: lightsOutEnv.id,
    config: envSession.envConfig,
    name: 'dev',
    limit: tasks,
  });
  stub = await startStub(() => ({ kind: 'say', text: 'press 1 1' }));
  await train(path.join(folder, 'run'));
  await makeTinyModel(path.join(folder, 'model'));
  await writeFile(
    path.join(folder, 'own.ts'),
    "import { defineAgent } from 'cairn-gym/agents';\nexport const agent = defineAgent({ kind: 'first', summary: '', create: () => () => ({ actions }) => actions[0] });\n",
  );
  specs = {
    random: { kind: 'random' },
    expert: { kind: 'expert', name: 'searcher' },
    noisy: { kind: 'noisy', share: 0.5 },
    baseline: { kind: 'baseline', name: 'first' },
    own: { kind: 'own', file: path.join(folder, 'own.ts') },
    run: { kind: 'run', folder: path.join(folder, 'run'), decoding: { kind: 'sampled', temperature: 0.5 } },
    model: { kind: 'model', folder: path.join(folder, 'model'), maxTokens: 4 },
    openai: { kind: 'openai', model: 'stub-model', url: stub.url, temperature: 0.7, maxTokens: 20 },
  };
});
afterAll(async () => {
  await stub[Symbol.asyncDispose]();
  await envSession[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const kinds = playerKinds.map(({ kind }) => kind);
const fromJson = (spec: object | undefined) => playerSpecSchema.parse(JSON.parse(JSON.stringify(spec)));
const options = (): OpenPlayerOptions => ({ envSession, context, backend });

describe('players opened from JSON', () => {
  it.each(kinds)('evaluate plays a panel with a player of kind %s', async (kind) => {
    await using player = await openPlayer(fromJson(specs[kind]), options());
    const { episodes, faults, agent } = await evaluate({ envSession, player, panel, context });
    expect({ agent, episodes: episodes.length, faults: faults.count }).toEqual({
      agent: player.name,
      episodes: tasks,
      faults: 0,
    });
  });

  it('a noisy player is refused where the env has no searcher', async () => {
    const withoutSearcher: typeof lightsOutEnv = {
      ...lightsOutEnv,
      open: async (...given) => {
        const { experts, ...host } = await lightsOutEnv.open(...given);
        const planner = experts?.planner?.bind(experts);
        return {
          ...host,
          experts: planner === undefined ? {} : { planner },
        };
      },
    };
    await using session = await openEnvSession(withoutSearcher, rolloutSettingsSchema.parse({}), context);
    const opening = openPlayer({ kind: 'noisy', share: 0.5 }, { ...options(), envSession: session });
    await expect(opening).rejects.toThrow('has no searcher');
  });

  it.each(kinds)('runGroups plays groups with the agent of a player of kind %s', async (kind) => {
    await using player = await openPlayer(fromJson(specs[kind]), options());
    const plan = {
      ...envSession,
      env: { id: envSession.definition.id, config: envSession.envConfig },
      source: envSession.host,
      agent: player.agent,
      tasks: panel.tasks.slice(0, 2),
      label: 'test',
      members: 2,
      order: 'task',
    } as const;
    const stops: string[] = [];
    for await (const { group } of runGroups(plan, context))
      stops.push(...group.members.map(({ stop }) => stop.kind));
    expect(stops).toHaveLength(4);
    expect(stops).not.toContain('faulted');
  });

  it('a run plays its last checkpoint with the decoding of the spec, and reports its training', async () => {
    await using player = await openPlayer(fromJson(specs['run']), options());
    expect(player.shown).toMatchObject({
      checkpoint: 'iteration-00001',
      decoding: { kind: 'sampled', temperature: 0.5 },
    });
    expect(player.training?.runs).toMatchObject([{ name: 'run', checkpoint: 'iteration-00001' }]);
    expect(player.versions()).toEqual({ backend: 'cpu' });
  });

  it('a chat player sends the fields and the key of its spec', async () => {
    const spec = { ...specs['openai'], requestFields: { reasoning_effort: 'low' }, keyVariable: 'MY_KEY' };
    const keyOf = (name: string): Secret => new Secret(`key of ${name}`.replaceAll(' ', '-'), name);
    await using player = await openPlayer(fromJson(spec), { ...options(), keyOf });
    await evaluate({ envSession, player, panel, context });
    const { body, headers } = stub.requests.at(-1) ?? {};
    expect(body).toMatchObject({
      model: 'stub-model',
      temperature: 0.7,
      max_tokens: 20,
      reasoning_effort: 'low',
    });
    expect(headers?.authorization).toBe('Bearer key-of-MY_KEY');
  });
});

describe('playerSpecSchema', () => {
  it.each([
    [{ kind: 'oracle' }],
    [{ kind: 'random', folder: 'x' }],
    [{ kind: 'run' }],
    [{ kind: 'run', folder: 'x', decoding: { kind: 'greedy', temperature: 1 } }],
    [{ kind: 'openai', model: 'm', url: 'http://localhost', temperature: 3 }],
  ])('refuses %j', (spec) => {
    expect(playerSpecSchema.safeParse(spec).success).toBe(false);
  });
});

describe('openPlayer and resolvePlayers', () => {
  it.each<[string, object, RegExp]>([
    [
      'a missing key',
      { kind: 'openai', model: 'm', url: 'http://localhost:1', keyVariable: 'NO_KEY' },
      /no key under the name NO_KEY/,
    ],
    [
      'an invalid URL',
      { kind: 'openai', model: 'm', url: 'localhost' },
      /player openai:m, url: "localhost" is not a valid URL/,
    ],
    [
      'an unknown prompt',
      { kind: 'openai', model: 'm', url: 'http://localhost:1', prompt: 'nothing' },
      /nothing/,
    ],
  ])('refuse %s before any episode', async (_what, spec, message) => {
    await expect(openPlayer(fromJson(spec), options())).rejects.toThrow(message);
  });

  it('refuse a folder that is no run', async () => {
    await expect(openPlayer({ kind: 'run', folder }, options())).rejects.toThrow(/config/);
  });

  it('refuse a token filter for a policy that picks whole actions', async () => {
    const spec = { ...specs['run'], decoding: { kind: 'sampled', topK: 3 } };
    await expect(openPlayer(fromJson(spec), options())).rejects.toThrow(/decoding\.topK: it filters tokens/);
  });

  it('refuse two players that play the same, but not one run with two decodings', async () => {
    const run = fromJson(specs['run']);
    await expect(resolvePlayers([run, run], options())).rejects.toThrow(/is named twice/);
    const greedy = fromJson({ ...specs['run'], decoding: { kind: 'greedy' } });
    const names = (await resolvePlayers([run, greedy], options())).map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
  });

  it('send no key unencrypted to another machine unless the spec names it', async () => {
    const said: string[] = [];
    const keyOf = (name: string): Secret => new Secret('a-long-secret', name);
    const more = { ...options(), keyOf, log: (line: string) => void said.push(line) };
    await using _player = await openPlayer({ kind: 'openai', model: 'm', url: 'http://192.0.2.1/v1' }, more);
    expect(said).toEqual([expect.stringMatching(/^the key of OPENAI_API_KEY is not sent to 192\.0\.2\.1/)]);
  });
});
