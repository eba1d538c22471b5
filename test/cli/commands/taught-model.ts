import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { cairn } from '../../support/command-line.ts';
import { makeTinyModel } from '../../support/tiny-model.ts';
import { temporaryFolder } from '../../trainers/run/make-run.ts';

export const game = [
  'lights-out',
  '--set',
  'size=3',
  '--backend',
  'wasm',
  '--quiet',
  '--with',
  'evaluation.tasks=2',
  '--with',
  'policy.workers=1',
  '--with',
  'policy.maxTokens=24',
  '--with',
  'policy.contextLength=1024',
];
// What can be written is an action: a model that has learned next to nothing would else lose every episode in the same way, and learn nothing.
export const small = [
  '--policy',
  'token',
  '--iterations',
  '2',
  '--groups',
  '6',
  '--group-size',
  '4',
  '--with',
  'finalPanels=[]',
  '--with',
  'policy.restricted=true',
];

export async function succeed(words: readonly string[]): Promise<string> {
  const { code, out, err } = await cairn(words);
  expect(code, err).toBe(0);
  return out;
}

export const metricsOf = (run: string): Promise<string> => readFile(path.join(run, 'metrics.jsonl'), 'utf8');

/**
 * Makes a folder of models for the tests of a file: `tiny` knows nothing, the run `taught` has taught it by `cairn-gym sft`, and the run `trained`
 * went on from there. Gives the paths of what lies in it.
 */
export function useTaughtModel(): (name?: string) => string {
  const own = temporaryFolder();
  const at = (name = ''): string => path.join(own.path, name);
  beforeAll(async () => {
    await makeTinyModel(at('tiny'));
    await succeed([
      'sft',
      ...game,
      '--model',
      at('tiny'),
      '--episodes',
      '4',
      '--epochs',
      '3',
      '--with',
      'finalPanels=[]',
      '--run',
      at('taught'),
    ]);
    await succeed(['train', ...game, ...small, '--model', at('taught'), '--run', at('trained')]);
  });
  afterAll(() => own[Symbol.dispose]());
  return at;
}
