import path from 'node:path';
import { expect, it } from 'vitest';
import { root, run } from '../support/run-program.ts';

const jiti = path.join(root, 'node_modules/jiti/lib/jiti-cli.mjs');
const runExample = (file: string) => run(process.execPath, [jiti, path.join('examples', file)]);

it('examples/own-loop.ts teaches a policy to sort', async () => {
  const { code, out, err } = await runExample('own-loop.ts');
  expect(code, err).toBe(0);
  const solved = [...out.matchAll(/^iteration \d+: (\d+) of 128 solved$/gm)].map(([, count]) =>
    Number(count),
  );
  expect(solved).toHaveLength(10);
  expect(solved.at(-1)).toBeGreaterThan(2 * (solved[0] ?? 0));
});

it('examples/evaluate-agent.ts compares an agent with chance', async () => {
  const { code, out, err } = await runExample('evaluate-agent.ts');
  expect(code, err).toBe(0);
  expect(out).toMatch(/^backwards +100\.0 \[88\.6, 100\.0\].* 5\.0\nrandom /m);
  expect(out).toMatch(/^\d\d\.\d points more than chance$/m);
});
