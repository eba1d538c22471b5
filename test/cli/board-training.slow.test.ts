// Slow: trains until something is learnt.
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useFolder } from '../support/own-folder.ts';
import { spawnCairn } from '../support/run-program.ts';

const inFolder = useFolder();

const ended = z.object({
  results: z.array(z.object({ agent: z.string(), success: z.object({ rate: z.number() }) })),
});

/** Success on the held-out panel after a training, by agent. */
async function ratesAfter(...words: readonly string[]): Promise<(agent: string) => number> {
  const ran = await spawnCairn([
    'train',
    ...words,
    '--backend',
    'wasm',
    '--with',
    'evaluation.tasks=16',
    '--with',
    'evaluation.finalTasks=60',
    '--run',
    inFolder(words.join(' ').replaceAll(/[^a-z\d]+/g, '-')),
    '--json',
  ]);
  expect(ran.code, ran.err).toBe(0);
  const { results } = ended.parse(JSON.parse(ran.out));
  return (agent) => results.find((one) => one.agent === agent)?.success.rate ?? Number.NaN;
}

const boards = ['--env-module', 'examples/board-envs.ts'];

describe('npx cairn-gym train on an env that declares a board', () => {
  it('learns to walk through mazes from reward', async () => {
    const rateOf = await ratesAfter('my-lab/walled-maze', ...boards, '--iterations', '4');
    expect(rateOf('GiGPO')).toBeGreaterThan(0.9);
    expect(rateOf('GiGPO')).toBeGreaterThan(rateOf('untrained') + 0.4);
  });

  it('learns a sudoku from 32 demonstrations, which words alone do not teach', async () => {
    const cloned = [...boards, '--iterations', '0'];
    const rateOf = await ratesAfter('my-lab/sudoku4', ...cloned);
    const blindRateOf = await ratesAfter('my-lab/sudoku4', ...cloned, '--with', 'policy.features=false');
    expect(rateOf('cloned')).toBeGreaterThan(0.5);
    expect(blindRateOf('cloned')).toBeLessThan(0.1);
  });
});
