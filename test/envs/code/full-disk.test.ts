import { expect, test } from 'vitest';
import type { Report } from '../../../envs/code/judge/verdict.ts';
import type { Problem } from '../../../envs/code/problems/problem.ts';
import { createBubblewrapProvider, type SandboxProvider } from '../../../sandbox/index.ts';
import { dockerProvider } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { judgeOn, signal } from './ground.ts';

const sum: Problem = {
  name: 'sum',
  family: 'test',
  statement: 'Add up.',
  form: { kind: 'function', name: 'add' },
  visible: [],
  hidden: [{ kind: 'call', given: [1, 2], expected: 3 }],
  solutions: {},
};

/** Gives the right answer once its folder is full. */
const filling = `
def add(a, b):
    try:
        with open("big", "wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65536)
    except OSError:
        return a + b
`;

async function judged(makeProvider: () => SandboxProvider): Promise<Report> {
  await using provider = makeProvider();
  return await judgeOn({ provider, needs: {} }).report(
    { problem: sum, tests: 'hidden', language: 'python', program: filling },
    signal,
  );
}

// envs/code/README.md explains why verdicts differ here.
await describeWithParts(
  ['bubblewrap'],
  'a program that fills the disk and then answers, in bubblewrap',
  () => {
    test('fails, because no room is left for its answer', async () => {
      expect(await judged(() => createBubblewrapProvider({ now: () => performance.now() }))).toMatchObject({
        passed: 0,
        total: 1,
      });
    });
  },
);

await describeWithParts(['docker'], 'a program that fills the disk and then answers, in a container', () => {
  test('passes, because its answer has room elsewhere', async () => {
    expect(await judged(() => dockerProvider({ warm: 0 }))).toMatchObject({ passed: 1, total: 1 });
  });
});
