// Slow: calls compute without end until they are ended, in real time.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root, run, type Ran } from '../../support/run-program.ts';

/** Runs lines of code in a process of its own, with a way to import what is built; a process that is killed has the exit code of a shell. */
function inProcess(code: string, ...flags: readonly string[]): Promise<Ran> {
  const program = `const built = (file) => import(${JSON.stringify(pathToFileURL(path.join(root, 'dist/')).href)} + file);
    const compute = (ms) => { for (const end = Date.now() + ms; Date.now() < end; ); };
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    ${code}`;
  return shell([...flags, '--input-type=module', '-e', program]);
}

const shell = (words: readonly string[]): Promise<Ran> =>
  run('sh', ['-c', '"$0" "$@"; echo "code $?"', process.execPath, ...words]);
const killed = (says: string) => ({
  code: 0,
  out: expect.stringMatching(/(?:^|\n)code 137\n$/) as string,
  err: expect.stringContaining(`${says}\n`) as string,
});

/** An env that computes for longer than any limit here in the call that its config names, or waits there for so many milliseconds. */
const module = `
import { defineEnv, reward } from 'cairn-gym/envs';
import { z } from 'zod';
const turn = { observation: 'a door', stateKey: 's', anchorKey: 'a', admissible: ['go', 'stay'], stepsLeft: undefined, seat: 0 };
export const environments = [defineEnv({
  id: 'lab/loop-v1',
  summary: 'loops',
  config: z.strictObject({ loop: z.string().default(''), wait: z.number().default(0) }),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: { observation: (seen) => seen, action: (act) => act, parse: (text) => ({ kind: 'action', action: text }) },
  turnLimit: () => 4,
  open: async ({ loop, wait }) => {
    const at = (call) => { if (call === loop) for (const end = Date.now() + 20_000; Date.now() < end; ); };
    const pause = () => wait === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, wait));
    at('open');
    return {
      panels: [{ name: 'train', size: 8, purpose: 'train', summary: '' }, { name: 'dev', size: 8, purpose: 'dev', summary: '' }],
      describeTask: ({ panel, index }) => (at('describeTask'), { family: 'loop', instruction: 'Go.', content: { panel, index } }),
      create: async () => ({
        reset: async () => (at('reset'), { ...turn, instruction: 'Go.' }),
        step: async () => (at('step'), await pause(), at('later'), { kind: 'ongoing', ...turn, reward: reward({ way: 0 }), inadmissible: false }),
        close: async () => undefined,
      }),
      close: async () => undefined,
      experts: { searcher: () => ({ act: () => (at('act'), 'go') }) },
    };
  },
})];
`;

let folder = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  file = path.join(folder, 'loop.ts');
  await writeFile(file, module);
});
afterAll(() => rm(folder, { recursive: true }));

describe('watched import', () => {
  const during = `const watch = new (await built('cli/watch/call-watch.js')).CallWatch();
    const underWay = watch.begin(watch.say('it never ends', 300));`;

  it('ends the process with the reason when it loops for ever', async () => {
    expect(await inProcess(`${during} compute(20_000);`)).toMatchObject(killed('it never ends'));
  });

  it('may stop at a breakpoint', async () => {
    const { out } = await inProcess(`${during} compute(1_900); console.log('done');`, '--inspect=0');
    expect(out).toBe('done\ncode 0\n');
  });

  it('leaves the process alone once it has finished', async () => {
    const code =
      'underWay[Symbol.dispose ?? Symbol.for("Symbol.dispose")](); compute(1_900); console.log("done");';
    expect(await inProcess(during + code)).toEqual({ code: 0, out: 'done\ncode 0\n', err: '' });
  });

  it('does not keep the process from exiting', async () => {
    expect(await inProcess(during)).toEqual({ code: 0, out: 'code 0\n', err: '' });
  });
});

describe('watched call into a user’s env', () => {
  const check = (...words: readonly string[]): Promise<Ran> =>
    shell([
      path.join(root, 'dist/cli/main.js'),
      'check',
      'lab/loop',
      '--env-module',
      file,
      '--deadline',
      '500',
      ...words,
    ]);
  const why =
    'it has computed for 2.5 s without letting anything else run. Make it end, or make it await and respect context.signal; if it only needs more time, raise --deadline.';

  it.each([
    ['open', 'open'],
    ['describeTask', 'describeTask of train/0'],
    ['reset', 'reset of task train/0'],
    ['step', 'step 1 of task train/0'],
    ['act', 'experts.searcher, act'],
  ])('ends the process with the place when it never returns: %s', async (loop, where) => {
    expect(await check('--quiet', '--set', `loop=${loop}`)).toMatchObject(
      killed(`error: lab/loop-v1, ${where}: ${why}`),
    );
  });

  it('leaves the process and its resources unchanged when it returns', async () => {
    const { out } = await check('--json', '--quiet');
    expect(out).toMatch(/"resources": 1\b/);
    expect(out).not.toMatch(/"law": "(?:resources|hang|crash)",\s*"severity"/);
    expect(out).toMatch(/code [01]\n$/);
  });

  const opened = `const { loadRegistry } = await built('cli/options/named-env.js');
    const { openEnv } = await built('envs/open.js');
    const { createContext } = await built('envs/core/context.js');
    const context = createContext({ seed: 0, now: () => 0 });
    const open = async (config) => openEnv((await loadRegistry([process.env.LOOP], context.signal, { ms: 300 })).find('lab/loop'), config, context);
    const env = async (config) => { const env = await (await open(config)).create(); await env.reset({ panel: 'dev', index: 7 }, context); return env; };`;
  const withEnv = (code: string): Promise<Ran> =>
    inProcess(opened.replace('process.env.LOOP', JSON.stringify(file)) + code);

  it('may wait for longer than it may compute, and code between calls is not limited', async () => {
    const ran = await withEnv(
      "await (await env({ wait: 1_900 })).step('go', context); compute(1_900); console.log('done');",
    );
    expect(ran).toEqual({ code: 0, out: 'done\ncode 0\n', err: '' });
  });

  it('ends the process when it computes after an await and blocks all else for ten times the limit', async () => {
    const ran = await withEnv("await (await env({ loop: 'later', wait: 1 })).step('go', context);");
    expect(ran).toMatchObject(
      killed(
        'error: lab/loop-v1: nothing else has run for 3 s: a call into it, or into another env of a module, computes without end after an await of its own. Make it end, or make it respect context.signal.',
      ),
    );
  });

  it('ends the process after other calls have returned', async () => {
    const ran = await withEnv(
      "const first = await env({}); await first.step('go', context); await first.step('go', context); await (await env({ loop: 'step' })).step('go', context);",
    );
    expect(ran).toMatchObject(
      killed(
        'error: lab/loop-v1, step 1 of task dev/7: it has computed for 0.3 s without letting anything else run. Make it end, or make it await and respect context.signal.',
      ),
    );
  });
});
