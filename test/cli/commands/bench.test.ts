import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult, type EvaluationResult } from '../../../trainers/evaluate/result.ts';
import { cairn, root } from '../../support/command-line.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

const resultsOf = (out: string): readonly EvaluationResult[] => (JSON.parse(out) as { readonly results: readonly unknown[] }).results.map((result) => parseResult(result, 'stdout'));

describe('cairn bench', () => {
  it('lets only those play by default whom the environment has', async () => {
    const module = path.join(folder, 'lonely-env.ts');
    await writeFile(
      module,
      `import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
       const [sort] = sorting;
       export const environments = [{ ...sort, id: 'my-lab/lonely-v1', open: async (...words) => ({ ...(await sort.open(...words)), experts: undefined }) }];`,
    );
    const words = ['bench', 'my-lab/lonely', '--env-module', module, '--tasks', '2', '--json'];
    const { code, out, err } = await cairn(words);
    expect(code, err).toBe(0);
    expect(resultsOf(out).map(({ agent }) => agent)).toEqual(['random']);
    expect(err.match(/my-lab\/lonely-v1 has no expert, so there is no ceiling to read the others beside/g)).toHaveLength(1);
    expect((await cairn([...words, '--agent', 'expert'])).code).toBe(2);
  });

  it('prints the table of papers on the household world', async () => {
    const { code, out } = await cairn(['bench', 'household', '--tasks', '12', '--quiet']);
    expect(code).toBe(0);
    const head = out.split('\n').find((line) => line.startsWith('agent'));
    expect(head?.split(/ {2,}/).map((word) => word.replace(/ \(\d+\)$/, ''))).toEqual(['agent', 'Pick', 'Look', 'Clean', 'Heat', 'Cool', 'Pick2', 'All', 'turns', 'time']);
    expect(out).toMatch(/^random .* 0\.0 \[0\.0, 24\.2\] +50\.0 +\d+\.\d s$/m);
    expect(out).toMatch(/^searcher .* 100\.0 \[75\.8, 100\.0\] +\d+\.\d +\d+\.\d s$/m);
  });

  it('prints any environment, with scores between 0 and 1 too', async () => {
    const module = path.join(folder, 'graded-env.ts');
    await writeFile(
      module,
      `import { environments as sorting } from ${JSON.stringify(path.join(root, 'examples/sort-env.ts'))};
       const [sort] = sorting;
       export const environments = [{
         ...sort,
         id: 'my-lab/graded-v1',
         turnLimit: () => 1,
         open: async (config, context) => {
           const host = await sort.open(config, context);
           const test = { name: 'test', size: 40, purpose: 'held-out', summary: 'half as good is worth half' };
           return {
             ...host,
             panels: [...host.panels, test],
             identity: { nouns: { name: 'tagger 1' } },
             describeTask: (task) => ({ ...host.describeTask(task), family: task.index % 2 === 0 ? 'even' : 'odd' }),
             create: async () => {
               const env = await host.create();
               let index = 0;
               return {
                 ...env,
                 reset: async (task, scope) => ((index = task.index), env.reset(task, scope)),
                 step: async (action, scope) => {
                   const { observation, inadmissible, stateKey } = await env.step(action, scope);
                   const share = (index % 5) / 4;
                   return { kind: 'terminated', outcome: share === 1 ? 'solved' : 'failed', reward: { total: share, terms: { share } }, observation, inadmissible, stateKey };
                 },
               };
             },
           };
         },
       }];`,
    );
    const words = ['bench', 'my-lab/graded', '--env-module', module, '--panel', 'test', '--agent', 'random', '--quiet'];
    const { code, out, err } = await cairn(words);
    expect(code, err).toBe(0);
    expect(out).toMatch(/^my-lab\/graded-v1, panel test .* 40 tasks\nnouns\.name tagger 1\n/m);
    expect(out).toMatch(/^agent +even \(20\) +odd \(20\) +All +score +turns +time$/m);
    expect(out).toMatch(/^random +20\.0 \[8\.1, 41\.6\] +20\.0 \[8\.1, 41\.6\] +20\.0 \[10\.5, 34\.8\] +0\.500 +1\.0 +\d\.\d s$/m);
    const [result] = resultsOf((await cairn([...words, '--json'])).out);
    expect(result?.score.mean).toBe(0.5);
    expect(result?.success.rate).toBe(0.2);
  });

  it('takes a run, and a checkpoint within it, by their folders', async () => {
    const run = path.join(folder, 'run');
    const small = ['--iterations', '1', '--groups', '2', '--group-size', '2', '--warm-start', '2', '--set', 'size=3', '--with', 'evaluation.tasks=2', '--with', 'warmStart.epochs=1', '--with', 'finalPanels=[]'];
    const trained = await cairn(['train', 'lights-out', ...small, '--backend', 'cpu', '--run', run, '--json', '--quiet']);
    expect(trained.code, trained.err).toBe(0);
    const words = ['bench', '--agent', 'expert', '--agent', run, '--agent', path.join(run, 'checkpoints', 'warm-start'), '--backend', 'cpu', '--tasks', '2', '--json', '--quiet'];
    const benched = await cairn(words);
    expect(benched.code, benched.err).toBe(0);
    expect(resultsOf(benched.out).map(({ agent, shown }) => [agent, shown.kind, shown.checkpoint])).toEqual([
      ['searcher', 'scripted', undefined],
      ['run', 'choice', 'iteration-00001'],
      ['run', 'choice', 'warm-start'],
    ]);
    const pooled = await cairn(['bench', '--run', run, '--agent', run, '--pool', 'both', '--backend', 'cpu', '--tasks', '2', '--quiet']);
    expect(pooled.err).toMatch(/seed 0 comes twice/);
    const warm = await cairn(['eval', '--run', run, '--temperature', 'default', '--backend', 'cpu', '--tasks', '1', '--quiet']);
    expect({ code: warm.code, err: warm.err }).toEqual({ code: 2, err: expect.stringMatching(/--temperature default: it goes with language models/) as string });
  }, 120_000);
});
