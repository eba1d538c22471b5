import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { distinctNames } from '../../../lab/players/distinct-names.ts';
import type { PlayerSpec } from '../../../lab/players/player-spec.ts';
import { resolvePlayers } from '../../../lab/players/resolve-players.ts';
import type { StoredRun } from '../../../lab/players/stored-run.ts';
import { policyConfigSchema } from '../../../trainers/policy/policy-config.ts';
import { openEnvSession, rolloutSettingsSchema } from '../../../trainers/env-session.ts';

const run = (folder: string, checkpoint: string): PlayerSpec => ({ kind: 'run', folder, checkpoint });
const model = (name: string, url: string): PlayerSpec => ({ kind: 'openai', model: name, url });
const random: PlayerSpec = { kind: 'random' };

const places = new Map<string, string>();
/** Each checkpoint has weights in a place of its own. */
const readRun = async (folder: string, checkpoint: string): Promise<StoredRun> => {
  const place = `${folder}/${checkpoint}`;
  const weights = places.get(place) ?? (await mkdtemp(path.join(os.tmpdir(), 'cairn-test-')));
  places.set(place, weights);
  return {
    folder,
    name: path.basename(folder),
    checkpoint,
    env: 'lights-out-v1',
    envConfig: {},
    seed: 0,
    temperature: 1,
    policy: policyConfigSchema.parse({}),
    training: {
      method: 'GiGPO',
      settings: `sha256:${'0'.repeat(64)}`,
      runs: [{ name: 'run', seed: 0, checkpoint, iteration: 1 }],
    },
    settings: { seed: 0, settings: {}, begins: { folders: [], digest: undefined } },
    evaluation: { decoding: 'greedy' },
    panels: {},
    identity: undefined,
    weights,
    weightsDigest: '',
    document: { config: {}, versions: { 'cairn-gym': '0.1.0' } },
  };
};

describe('player names', () => {
  it.each<[string, readonly PlayerSpec[], readonly string[]]>([
    [
      'stay unchanged when unique',
      [random, run('/a/first', 'last'), model('m', 'http://h:1')],
      ['random', 'first', 'm'],
    ],
    [
      'include the checkpoint for one run',
      [run('/a/shop', 'i-1'), run('/a/shop', 'i-2'), run('/a/shop', 'i-3')],
      ['shop (i-1)', 'shop (i-2)', 'shop (i-3)'],
    ],
    [
      'include the folder of two runs, and the checkpoint only when needed',
      [run('/x/A/shop', 'i-1'), run('/x/B/shop', 'i-1'), run('/x/B/shop', 'i-2')],
      ['A/shop', 'B/shop (i-1)', 'B/shop (i-2)'],
    ],
    [
      'include the host of a model served twice, and the path when the hosts are equal',
      [model('m', 'http://h:1/v1'), model('m', 'http://h:2/a'), model('m', 'http://h:2/b')],
      ['m at h:1', 'm at h:2/a', 'm at h:2/b'],
    ],
    [
      'never include the query of a URL',
      [model('m', 'http://h:1/v1?key=one'), model('m', 'http://h:1/v1?key=two')],
      ['m at http://h:1/v1', 'm at http://h:1/v1 (2)'],
    ],
    ['do not rename a built-in player', [random, run('/a/random', 'i-1')], ['random', 'random (i-1)']],
  ])('%s', async (_law, players, names) => {
    const context = createContext({ seed: 0, now: () => 0 });
    await using envSession = await openEnvSession(lightsOutEnv, rolloutSettingsSchema.parse({}), context);
    const named = await resolvePlayers(players, { envSession, context, readRun });
    expect(named.map(({ name }) => name)).toEqual(names);
  });

  it('differ whatever the candidates', () => {
    const word = fc.constantFrom('a', 'b', 'a (2)', 'a (3)');
    fc.assert(
      fc.property(
        fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
        (candidates) => {
          const names = distinctNames(candidates);
          expect(new Set(names).size).toBe(candidates.length);
        },
      ),
    );
  });
});
