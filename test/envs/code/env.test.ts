import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { codeConfig } from '../../../envs/code/config.ts';
import { openCode, openCodeInContext } from '../../../envs/code/open-code.ts';
import { Runner } from '../../../envs/code/judge/runner.ts';
import { assertRuns } from '../../../envs/code/judge/trial.ts';
import { createContext } from '../../../envs/core/context.ts';
import { createMemoryLogger } from '../../../envs/core/log.ts';
import { FaultError } from '../../../envs/core/errors.ts';
import type { EnvHost } from '../../../envs/core/env.ts';
import type { ProgramAction } from '../../../envs/code/action.ts';
import type { ProgramObservation } from '../../../envs/code/observation.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { SandboxProvider } from '../../../sandbox/sandbox.ts';
import { openWasmProvider } from '../../../sandbox/wasm/provider.ts';
import { createFakeProvider } from '../../../sandbox/fake/provider.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { openGround } from './ground.ts';
import { itInAll } from '../../support/thorough.ts';

const context = createContext({ seed: 0, now: () => 0 });
type Host = EnvHost<ProgramObservation, ProgramAction>;

/** The mark at the start of each line of the harness. */
const markIn = (stdin: string): string => z.object({ mark: z.string() }).parse(JSON.parse(stdin)).mark;

async function play(host: Host, index: number, actions: readonly ProgramAction[]) {
  const env = await host.create();
  const results = [];
  await env.reset({ panel: 'dev', index }, context);
  for (const action of actions) results.push(await env.step(action, context));
  await env.close();
  return results;
}

describe('code-v1 with a failing sandbox', () => {
  test('faults the episode without a verdict when the sandbox fails', async () => {
    const broken = createFakeProvider(() => {
      throw new FaultError({
        kind: 'sandbox-failed',
        stage: 'exec',
        message: 'the daemon is gone',
        retryable: true,
      });
    });
    const host = await openCode(codeConfig.parse({}), { provider: broken, needs: {} }, context);
    await expect(play(host, 0, [{ kind: 'submit', program: 'x' }])).rejects.toThrow(/the daemon is gone/);
    expect(broken.live).toBe(0); // nothing stays open
    await host.close();
  });

  test('refuses a sandbox with weaker guarantees than it needs', async () => {
    const weak = createFakeProvider(() => ({}));
    const host = await openCode(
      codeConfig.parse({}),
      { provider: weak, needs: { boundary: 'namespaces' } },
      context,
    );
    await expect(play(host, 0, [{ kind: 'submit', program: 'x' }])).rejects.toThrow(
      /boundary "namespaces" \(it has "none"\)/,
    );
    await host.close();
  });

  test('restarts twice when the output is torn, then counts no answers', async () => {
    const torn = createFakeProvider(({ stdin }) => ({
      stdout: `${markIn(stdin)}\nrubbish`,
      end: { signal: 'SIGKILL' },
    }));
    const host = await openCode(codeConfig.parse({}), { provider: torn, needs: {} }, context);
    const [result] = await play(host, 0, [{ kind: 'submit', program: 'x' }]);
    expect(result).toMatchObject({ kind: 'ongoing', observation: { passed: 0 } });
    expect(torn.commands).toHaveLength(3);
    await host.close();
  });

  test.each([
    [
      { stderr: "Cannot find module 'vm'", end: { code: 1 } },
      /what runs programs did not begin: Cannot find module 'vm'/,
    ],
    [{ end: { killedBy: 'wall' } }, /what runs programs did not begin: it was killed by its limit on wall/],
  ] as const)(
    'faults the episode without a verdict when the harness prints nothing: %#',
    async (silence, says) => {
      const host = await openCode(
        codeConfig.parse({}),
        { provider: createFakeProvider(() => silence), needs: {} },
        context,
      );
      await expect(play(host, 0, [{ kind: 'submit', program: 'x' }])).rejects.toThrow(says);
      await host.close();
    },
  );

  test('refuses a sandbox in which a right program fails, before the first episode', async () => {
    const runs = (provider: SandboxProvider) =>
      assertRuns(
        new Runner({ provider, needs: {} }, { testMs: 2_000, memoryBytes: 2 ** 29, outputBytes: 1_000 }),
        { language: 'javascript', provider: 'fake' },
        context.signal,
      );
    const saying = (line: object) =>
      createFakeProvider(({ stdin }) => ({
        stdout: `${markIn(stdin)}\n${markIn(stdin)}${JSON.stringify({ at: 0, ...line })}\n`,
      }));
    await expect(runs(createFakeProvider(() => ({ stderr: 'no module', end: { code: 1 } })))).rejects.toThrow(
      /^sandbox provider "fake": a correct program in javascript fails in it: .*no module.*\. Choose another/,
    );
    await expect(runs(saying({ end: 'value', value: 41 }))).rejects.toThrow(/fails in it: 41\./);
    await expect(runs(saying({ end: 'time' }))).rejects.toThrow(/fails in it: it did not end in time\./);
    await expect(runs(saying({ end: 'value', value: 42 }))).resolves.toBeUndefined();
  });
});

await describeWithParts(['bubblewrap'], 'code-v1', () => {
  const ground = openGround();
  afterAll(() => ground.provider[Symbol.asyncDispose]());
  const open = (config: object): Promise<Host> =>
    openCode(codeConfig.parse({ testMs: 3_000, ...config }), ground, context);

  test.each(['python', 'javascript'] as const)(
    'the planner earns the full reward, in %s',
    async (language) => {
      const host = await open({ language });
      for (const index of [0, 1, 2]) {
        const results = await play(host, index, host.experts?.planner?.({ panel: 'dev', index }) ?? []);
        expect(results.at(-1)).toMatchObject({
          kind: 'terminated',
          outcome: 'solved',
          reward: { total: 1, terms: { tests: 0.4, solved: 0.5, format: 0.1 } },
          metrics: { share: 1 },
        });
      }
    },
  );

  test('feedback shows expected and actual results, but nothing of hidden tests', async () => {
    const host = await open({ shownCharacters: 80 });
    const [solution] = host.experts?.planner?.({ panel: 'dev', index: 0 }) ?? [];
    const program = solution?.kind === 'submit' ? solution.program : '';
    const results = await play(host, 0, [
      { kind: 'test', program: 'def (' },
      { kind: 'submit', program: `${program}\nraise ValueError("${'long '.repeat(100)}")` },
      { kind: 'run', input: 'no list' },
      { kind: 'submit', program: `${'#'.repeat(70_000)}` },
      { kind: 'put', place: 1, piece: 1 },
      { kind: 'submit', program },
      { kind: 'finish' },
    ]);
    expect(results.map(({ inadmissible }) => inadmissible)).toEqual([
      false,
      false,
      expect.any(Boolean),
      true,
      true,
      false,
      false,
    ]);
    expect(results[0]?.observation.said).toMatch(/none of 6 passed\.\n.*SyntaxError/s);
    expect(results[1]?.observation.said).toMatch(/is to give .*failed: …/);
    expect(results[1]?.observation.said.length).toBeLessThan(1_500);
    expect(results[5]?.observation).toMatchObject({ passed: 6, total: 6 });
    expect(results[6]).toMatchObject({ outcome: 'solved' });
    for (const { observation } of results)
      for (const secret of host.audit?.secrets?.({ panel: 'dev', index: 0 }) ?? [])
        expect(observation.said).not.toContain(secret);
  });

  test('the turn limit judges the last submission, each turn has its cost, and no submission earns nothing', async () => {
    const host = await open({ maxSteps: 2, reward: { turn: 0.05 } });
    const [solution] = host.experts?.planner?.({ panel: 'dev', index: 1 }) ?? [];
    const [first, last] = await play(host, 1, [solution as ProgramAction, { kind: 'test', program: 'x' }]);
    expect(first).toMatchObject({ kind: 'ongoing', reward: { total: -0.05 }, stepsLeft: 1 });
    expect(last).toMatchObject({
      kind: 'terminated',
      outcome: 'solved',
      limit: 'turn-limit',
      reward: { total: 0.95 },
    });
    const [nothing] = await play(host, 1, [{ kind: 'finish' }]);
    expect(nothing).toMatchObject({
      outcome: 'failed',
      reward: { terms: { tests: 0, solved: 0, format: 0 } },
    });
  });

  test('listed simple programs are wrong, and the searcher solves tasks from pieces', async () => {
    const plain = await open({});
    const env = await plain.create();
    const opening = await env.reset({ panel: 'dev', index: 2 }, context);
    for (const action of opening.admissible ?? [])
      if (action.kind === 'submit')
        expect((await play(plain, 2, [action, { kind: 'finish' }])).at(-1)).toMatchObject({
          outcome: 'failed',
        });
    const host = await open({ pieces: 2, maxSteps: 12 });
    let solved = 0;
    for (let index = 0; index < 6 && solved < 3; index += 1) {
      const player = host.experts?.searcher?.(createRng(index));
      const other = await host.create();
      let turn: Parameters<NonNullable<typeof player>['act']>[0] = await other.reset(
        { panel: 'dev', index },
        context,
      );
      for (let step = 0; step < 12; step += 1) {
        const result = await other.step(player?.act(turn) ?? { kind: 'finish' }, context);
        if (result.kind !== 'ongoing') {
          if (result.kind === 'terminated' && result.outcome === 'solved') solved += 1;
          break;
        }
        turn = result;
      }
    }
    expect(solved, 'of six tasks').toBe(3);
  });
});

itInAll('code-v1 in WebAssembly refuses JavaScript before the first episode and accepts Python', async () => {
  await expect(
    openCodeInContext(
      codeConfig.parse({ sandbox: 'wasm', allowWeakSandbox: true, language: 'javascript' }),
      context,
    ),
  ).rejects.toThrow(
    /^sandbox provider "wasm.*": a correct program in javascript fails in it: .*did not begin: .*Cannot find module/s,
  );
  const log = createMemoryLogger();
  const host = await openCodeInContext(
    codeConfig.parse({ sandbox: 'wasm', allowWeakSandbox: true }),
    createContext({ seed: 0, now: () => performance.now(), log }),
  );
  await host.close();
  expect(log.events.map(({ event }) => event)).toEqual([
    {
      type: 'opening-tally',
      part: 'right programs that ran',
      name: expect.stringMatching(/^wasm/) as string,
      count: 2,
    },
    ...['threads', 'processes', 'deep recursion through functools'].map((name) => ({
      type: 'opening-tally',
      part: 'what programs cannot do there',
      name,
      count: 1,
    })),
  ]);
});

test('Python in WebAssembly reads and prints bytes, and its output is limited', async () => {
  const provider = await openWasmProvider({ now: () => performance.now() });
  const run = (program: string) =>
    new Runner({ provider, needs: {} }, { testMs: 2_000, memoryBytes: 2 ** 29, outputBytes: 1_000 }).run(
      { language: 'python', program, form: { kind: 'lines' }, given: ['1 2\n', '5 5\n'] },
      context.signal,
    );
  const added = 'import sys\na, b = map(int, sys.stdin.buffer.read().split())\n';
  expect(await run(`${added}sys.stdout.buffer.write(str(a + b).encode())`)).toMatchObject([
    { kind: 'printed', printed: '3' },
    { kind: 'printed', printed: '10' },
  ]);
  expect(
    await run(
      `${added}import atexit\natexit.register(lambda: sys.__stdout__.write(str(a + b)))\nsys.stdout.close()`,
    ),
  ).toMatchObject([{ kind: 'printed' }, { kind: 'printed' }]);
  expect(await run('print("x" * 100_000)')).toMatchObject([{ kind: 'output' }, { kind: 'output' }]);
  expect(await run('import __main__, sys\nx = 1\nprint(__main__.x)\nsys.exit(1)')).toMatchObject([
    { kind: 'error', printed: '1\n' },
    { kind: 'error', printed: '1\n' },
  ]);
  await provider[Symbol.asyncDispose]();
});
