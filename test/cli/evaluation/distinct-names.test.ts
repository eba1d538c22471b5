import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadPrompt } from '../../../agents/prompt/load-prompt.ts';
import { parseEndpoint } from '../../../agents/servers/endpoint.ts';
import { distinctNames, nameEntrants } from '../../../cli/evaluation/distinct-names.ts';
import type { Player } from '../../../cli/evaluation/entrants.ts';
import { policyConfigSchema } from '../../../trainers/policy/policy-config.ts';

const plain = await loadPrompt('plain');
const run = (folder: string, checkpoint: string): Player => ({
  kind: 'run',
  run: {
    folder,
    name: folder.split('/').at(-1) ?? '',
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
    weights: `${folder}/${checkpoint}`,
    weightsDigest: '',
  },
});
const model = (name: string, url: string): Player => ({
  kind: 'text',
  model: name,
  endpoint: parseEndpoint(url, 'test'),
  prompt: plain,
  key: undefined,
  fields: undefined,
});
const random: Player = { kind: 'scripted', agent: 'random' };

describe('names of those who play', () => {
  it.each<[string, readonly Player[], readonly string[]]>([
    [
      'stay as they are where no other has them',
      [random, run('/a/first', 'last'), model('m', 'http://h:1')],
      ['random', 'first', 'm'],
    ],
    [
      'say the checkpoint of one run',
      [run('/a/shop', 'i-1'), run('/a/shop', 'i-2'), run('/a/shop', 'i-3')],
      ['shop (i-1)', 'shop (i-2)', 'shop (i-3)'],
    ],
    [
      'say the folder of two runs, and the checkpoint only where it is needed',
      [run('/x/A/shop', 'i-1'), run('/x/B/shop', 'i-1'), run('/x/B/shop', 'i-2')],
      ['A/shop', 'B/shop (i-1)', 'B/shop (i-2)'],
    ],
    [
      'say the host of one model at two, and the path where that is the same',
      [model('m', 'http://h:1/v1'), model('m', 'http://h:2/a'), model('m', 'http://h:2/b')],
      ['m at h:1', 'm at h:2/a', 'm at h:2/b'],
    ],
    [
      'never say the query of a URL',
      [model('m', 'http://h:1/v1?key=one'), model('m', 'http://h:1/v1?key=two')],
      ['m at http://h:1/v1', 'm at http://h:1/v1 (2)'],
    ],
    ['leave a player its own', [random, run('/a/random', 'i-1')], ['random', 'random (i-1)']],
  ])('%s', (_law, players, names) => {
    expect(nameEntrants(players)).toEqual(names);
  });

  it('are distinct whatever there is to choose from', () => {
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
