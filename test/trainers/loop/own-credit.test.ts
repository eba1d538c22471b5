import { existsSync } from 'node:fs';
import { appendFile, cp } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { createGigpo } from '../credit/built-in.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { prepare, type Preparation } from '../../../trainers/loop/setup/session.ts';
import { resumeTraining, startTraining } from '../../../trainers/loop/start-training.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { useFolder } from '../../support/own-folder.ts';
import { root } from '../../support/run-program.ts';
import { smallConfig } from './small-training.ts';

const inFolder = useFolder();
const silent = (): void => undefined;

function prepareBy(credit: Readonly<Record<string, unknown>>): Promise<Preparation> {
  const config = trainConfigSchema.parse({
    ...smallConfig,
    iterations: 1,
    finalPanels: ['dev'],
    warmStart: { episodes: 0 },
    credit,
  });
  return prepare({
    config,
    definition: lightsOutEnv,
    backend: () => openBackend('cpu'),
    versions: { 'cairn-gym': '0.1.0' },
    context: createContext({ seed: 3, now: () => performance.now() }),
  });
}

test('an estimator that a script puts into a preparation is refused, by the compiler and when it runs', async () => {
  await using prepared = await prepareBy({ kind: 'gigpo' });
  // @ts-expect-error: an estimator of one's own is named in the config
  const swapped: Preparation = { ...prepared, estimator: createGigpo() };
  await expect(startTraining(swapped, inFolder('swapped'), silent)).rejects.toThrow(
    /preparation, estimator: it was replaced by hand.*kind: 'module'/,
  );
  expect(existsSync(inFolder('swapped'))).toBe(false);
  await startTraining(prepared, inFolder('ours'), silent);
  await expect(resumeTraining(swapped, inFolder('ours'), silent)).rejects.toThrow(/it was replaced by hand/);
});

test('a script trains by a file as the command does, and goes on with no other content of it', async () => {
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
    /the file of its credit estimator, or one that it imports, is another: it was begun with sha256:/,
  );
});
