import { existsSync } from 'node:fs';
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { createGigpo } from '../credit/built-in.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { prepareTraining, type TrainingSetup } from '../../../trainers/loop/setup/training-setup.ts';
import { resumeTraining, startTraining } from '../../../trainers/loop/start-training.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { useFolder } from '../../support/own-folder.ts';
import { root } from '../../support/run-program.ts';
import { resumeSmall, smallConfig, stopped, trainSmall } from './small-training.ts';

const inFolder = useFolder();
const silent = (): void => undefined;

function prepareBy(
  credit: Readonly<Record<string, unknown>>,
  definition: AnyEnvDefinition = lightsOutEnv,
): Promise<TrainingSetup> {
  const config = trainConfigSchema.parse({
    ...smallConfig,
    iterations: 1,
    finalPanels: ['dev'],
    warmStart: { episodes: 0 },
    credit,
  });
  return prepareTraining({
    config,
    definition,
    backend: () => openBackend('cpu'),
    versions: { 'cairn-gym': '0.1.0' },
    context: createContext({ seed: 3, now: () => performance.now() }),
  });
}

test('an estimator put into a setup by hand is refused, by the compiler and at run time', async () => {
  await using prepared = await prepareBy({ kind: 'gigpo' });
  // @ts-expect-error: an estimator of one's own is named in the config
  const swapped: TrainingSetup = { ...prepared, estimator: createGigpo() };
  await expect(startTraining(swapped, inFolder('swapped'), silent)).rejects.toThrow(
    /setup, estimator: it was replaced after prepare.*kind: 'module'/,
  );
  expect(existsSync(inFolder('swapped'))).toBe(false);
  await startTraining(prepared, inFolder('ours'), silent);
  await expect(resumeTraining(swapped, inFolder('ours'), silent)).rejects.toThrow(
    /it was replaced after prepare/,
  );
});

test('a script trains with an estimator file as the command does, and refuses a changed file', async () => {
  const file = inFolder('credit.ts');
  await cp(path.join(root, 'examples/time-baseline-credit.ts'), file);
  const credit = { kind: 'module', file, options: { lambda: 0.5 } };
  {
    await using prepared = await prepareBy(credit);
    const { results } = await startTraining(prepared, inFolder('run'), silent);
    expect(results.map(({ agent }) => agent)).toEqual([
      'random',
      'untrained',
      'time baseline',
      'time baseline greedy',
      'searcher',
    ]);
    expect(results[2]?.versions).toMatchObject({
      'credit-estimator': 'time baseline',
      'credit-file': expect.stringMatching(/^sha256:/) as string,
    });
  }
  await appendFile(file, '// changed\n');
  await using changed = await prepareBy(credit);
  await expect(resumeTraining(changed, inFolder('run'), silent)).rejects.toThrow(
    /the file of its credit estimator, or one that it imports, has changed: the run was started with sha256:/,
  );
});

/** Writes the module of an estimator with these lines in what `create` returns. */
async function writeEstimator(name: string, members: string): Promise<string> {
  const file = inFolder(name);
  await writeFile(
    file,
    `import { returnOf } from 'cairn-gym/agents';
import { defineCreditEstimator } from 'cairn-gym/trainers';
import { z } from 'zod';
export const estimator = defineCreditEstimator({ kind: 'mine', name: 'mine', summary: 'for a test', options: z.strictObject({}), create: () => ({ ${members} }) });
`,
  );
  return file;
}

test('a choice policy is refused with a token-credit estimator, before its env is opened', async () => {
  const file = await writeEstimator('tokens.ts', "level: 'token', assign: () => ({ groups: [] })");
  let opened = 0;
  const definition: AnyEnvDefinition = {
    ...lightsOutEnv,
    open: (...inputs) => {
      opened += 1;
      return lightsOutEnv.open(...(inputs as Parameters<typeof lightsOutEnv.open>));
    },
  };
  await expect(prepareBy({ kind: 'module', file }, definition)).rejects.toThrow(
    /training config, credit: mine assigns credit to tokens, and a choice policy chooses whole actions\. Train a language model/,
  );
  expect(opened).toBe(0);
});

test('the state of an estimator survives iterations and a checkpoint', async () => {
  const file = await writeEstimator(
    'state.ts',
    `compares: 'batch',
    initialState: { seen: 0 },
    assign: (groups, _evidence, { seen }) => ({
      groups: groups.map(({ members }) => members.map((member) => ({ advantage: member.steps.map((_, step) => 1 + seen + step + returnOf(member)) }))),
      statistics: { 'mine/seen': seen },
      state: { seen: seen + groups.length },
    })`,
  );
  const config = {
    credit: { kind: 'module', file },
    warmStart: { episodes: 0 },
    evaluation: { tasks: 1 },
  } as const;
  const whole = await trainSmall(inFolder('whole'), { config });
  expect(whole.state.creditState).toEqual({ seen: 9 });
  const stopAt = (path: string): boolean => path.includes('/iteration-3/');
  await expect(trainSmall(inFolder('stopped'), { config, stopAt })).rejects.toBe(stopped);
  expect((await resumeSmall(inFolder('stopped'), { config })).state.creditState).toEqual({ seen: 9 });
  const [ofWhole, ofStopped] = await Promise.all(
    ['whole', 'stopped'].map((run) => readFile(path.join(inFolder(run), 'metrics.jsonl'), 'utf8')),
  );
  expect(ofStopped).toBe(ofWhole);
  expect(ofWhole?.match(/"mine\/seen":\d+/g)).toEqual(['"mine/seen":0', '"mine/seen":3', '"mine/seen":6']);
});
