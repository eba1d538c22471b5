import { AsyncResource } from 'node:async_hooks';
import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { assertEnv, checkEnv } from '../../envs/check/check-env.ts';
import { halving } from '../../envs/check/hidden-laws.ts';
import { laws, type Law } from '../../envs/check/laws.ts';
import { describeFinding, formatReport, ReportWriter } from '../../envs/check/report.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { defineTextEnv } from '../../envs/kit/text-env.ts';
import type { PanelInfo } from '../../envs/core/task.ts';
import { aliasFlaws } from './broken-envs/alias-flaws.ts';
import { breakVault, type AnyEnv, type Breakage, type Flaw } from './broken-envs/break-env.ts';
import { definitionFlaws } from './broken-envs/definition-flaws.ts';
import { keyFlaws } from './broken-envs/key-flaws.ts';
import { cleanUp, lifecycleFlaws } from './broken-envs/lifecycle-flaws.ts';
import { repeatFlaws } from './broken-envs/repeat-flaws.ts';
import { valueFlaws } from './broken-envs/value-flaws.ts';
import { wordFlaws } from './broken-envs/word-flaws.ts';
import { vault, vaultAudit, vaultPanels } from './broken-envs/vault.ts';
import { itInAll } from '../support/thorough.ts';

const flaws = [
  ...definitionFlaws,
  ...valueFlaws,
  ...repeatFlaws,
  ...keyFlaws,
  ...aliasFlaws,
  ...lifecycleFlaws,
  ...wordFlaws,
];
const quick = { tasksPerPanel: 2, contentsPerPanel: 20, leastSteps: 1, pairs: 20, points: 8, graceMs: 60 };

const lingering: NodeJS.Timeout[] = [];
afterEach(() => {
  cleanUp();
  for (const timer of lingering.splice(0)) clearInterval(timer);
});

/** Timers that run until the test ends. */
function startTimers(count: number): readonly NodeJS.Timeout[] {
  const started = Array.from({ length: count }, () => setInterval(() => undefined, 1_000));
  lingering.push(...started);
  return started;
}

const whenClosed = (then: () => void): AnyEnvDefinition =>
  breakVault({
    host: (host) => ({
      close: () => {
        then();
        return host.close();
      },
    }),
  });

const leaksOf = async (definition: AnyEnvDefinition): Promise<readonly string[]> =>
  (await checkEnv(definition, { ...quick, laws: ['resources'] })).findings
    .filter(({ law }) => law === 'resources')
    .map(({ what }) => what);

describe('checkEnv on a sound env', () => {
  test('reports no findings and leaves only the law of luck unchecked', async () => {
    const report = await checkEnv(vault);
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked).toEqual([{ law: 'luck', why: 'the env says that it is not deterministic' }]);
    expect(Object.keys(laws).filter((law) => !(law in report.checked))).toEqual(['luck']);
  });

  test('reports the reason of the env beside the cause of an unchecked law', async () => {
    const report = await checkEnv({ ...vault, unchecked: { luck: 'each step is a draw' } }, quick);
    expect(report.unchecked).toEqual([
      { law: 'luck', why: 'the env says that it is not deterministic', expected: 'each step is a draw' },
    ]);
    expect(formatReport(report)).toContain(
      'not checked luck: the env says that it is not deterministic (expected: each step is a draw)',
    );
  });

  test('reports no findings for a vault that breakVault rebuilt unchanged', async () => {
    const report = await checkEnv(breakVault({}), quick);
    expect(report.findings.map(describeFinding)).toEqual([]);
  });
});

describe('checkEnv on a broken env', () => {
  test.each(flaws)('reports the law $law for an env that $says', async (flaw: Flaw) => {
    const report = await checkEnv(flaw.definition, { ...quick, laws: [flaw.law], ...flaw.options });
    const found = report.findings.filter(({ law }) => law === flaw.law).map(({ where }) => where);
    expect(found, formatReport(report)).not.toEqual([]);
    if (flaw.severity !== undefined)
      expect(report.findings.map(({ law, severity }) => [law, severity])).toEqual([
        [flaw.law, flaw.severity],
      ]);
    if (flaw.where !== undefined) expect(found).toContainEqual(expect.objectContaining(flaw.where));
    expect(report.findings.every(({ what, fix }) => what.trim().endsWith('.') && fix.endsWith('.'))).toBe(
      true,
    );
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  test.each(flaws.filter((_, index) => index % 20 === 0))(
    'reports the law $law among all laws for an env that $says',
    async (flaw: Flaw) => {
      const { findings } = await checkEnv(flaw.definition, { ...quick, ...flaw.options });
      expect(findings.map(({ law }) => law)).toContain(flaw.law);
    },
  );

  test.each(lifecycleFlaws.filter(({ law }) => law === 'order'))(
    'blames only the wrong call of an env that $says',
    async (flaw) => {
      const { findings } = await checkEnv(flaw.definition, { ...quick, laws: ['order'], ...flaw.options });
      expect(findings.filter(({ law }) => law === 'order').map(({ where }) => where.call)).toEqual([
        flaw.where?.call,
      ]);
    },
  );

  test('reports a leaked timer even when other timers end meanwhile', async () => {
    const others = [1, 2, 3].map(() => startTimers(8));
    const definition = whenClosed(() => {
      for (const timer of others.pop() ?? []) clearInterval(timer);
      startTimers(1);
    });
    expect(await leaksOf(definition)).toEqual([expect.stringContaining('1 more: timer')]);
  });

  test('ignores a timer that runs once and keeps nothing alive', async () => {
    expect(
      await leaksOf(whenClosed(() => void lingering.push(setTimeout(() => undefined, 1_000).unref()))),
    ).toEqual([]);
  });

  test('reports a leaked timer that keeps nothing alive but sets itself again', async () => {
    const stopped = new AbortController();
    const again = (): void => void (stopped.signal.aborted || setTimeout(again, 5).unref());
    expect(await leaksOf(whenClosed(again))).toEqual([expect.stringContaining('1 more: timer')]);
    stopped.abort();
  });

  test('reports a leaked server socket that starts to listen after close', async () => {
    const servers: Server[] = [];
    expect(
      await leaksOf(whenClosed(() => void servers.push(createServer().listen(0, '127.0.0.1').unref()))),
    ).toContainEqual(expect.stringContaining('open file socket'));
    for (const server of servers) server.close();
  });

  test('reports a leaked child process once', async () => {
    const says = await leaksOf(
      (lifecycleFlaws.find((flaw) => flaw.says === 'leaves a child process behind') as Flaw).definition,
    );
    expect(says).toEqual([
      expect.stringMatching(process.platform === 'linux' ? /1 more: child process\./ : /more: ProcessWrap\./),
    ]);
  });

  test('ignores timers that other code starts meanwhile', async () => {
    const others = AsyncResource.bind(() => void startTimers(8));
    expect(await leaksOf(whenClosed(others))).toEqual([]);
    expect(lingering).toHaveLength(24);
  });

  test('covers every law with at least one broken env', () => {
    const tried = new Set<Law>(flaws.map(({ law }) => law));
    expect(Object.keys(laws).filter((law) => !tried.has(law as Law))).toEqual([]);
  });
});

describe('checkEnv on an env of short episodes', () => {
  test('plays more episodes until there are enough steps to detect luck', async () => {
    const lucky = breakVault({ definition: { deterministic: true } });
    const few = { ...quick, tasksPerPanel: 1, episodes: 1 }; // those of the planner, two steps each
    const looked = await checkEnv(lucky, few);
    expect(looked.findings.map(describeFinding)).toEqual([]);
    const longer = await checkEnv(lucky, { ...few, leastSteps: 60 });
    expect([...new Set(longer.findings.map(({ law }) => law))]).toEqual(['luck']);
    expect(longer.checked.repeat).toBeGreaterThan(60);
    expect(longer.notes[1]).toMatch(
      /^of \d+ different actions that turns listed, \d+ were tried; [1-9]\d* steps? tried one that the turn did not list$/,
    );
  });

  test('notes when too few steps could be played', async () => {
    const crashing = breakVault({ env: () => ({ step: () => Promise.reject(new Error('it broke')) }) });
    const { notes, unchecked } = await checkEnv(crashing, { ...quick, leastSteps: 60 });
    expect(notes[0]).toBe('16 episodes were played, 0 steps; 0 ended');
    expect(unchecked).toContainEqual({ law: 'repeat', why: 'the first step of every episode failed' });
    const { notes: few } = await checkEnv(
      breakVault({
        host: ({ experts }) => ({ experts: { planner: (task) => experts?.planner?.(task) ?? [] } }),
        turn: () => ({ admissible: undefined }),
      }),
      { ...quick, episodes: 1, leastSteps: 60 },
    );
    expect(few).toContainEqual(expect.stringMatching(/^fewer than 60 steps is little: /));
  });

  test('reports a step that returns undefined once, as a crash', async () => {
    const { findings } = await checkEnv(
      breakVault({ env: () => ({ step: () => Promise.resolve(undefined as never) }) }),
      quick,
    );
    expect(findings.map(({ law, what }) => [law, what])).toEqual([['crash', 'it returned undefined.']]);
  });
});

describe('the report of checkEnv', () => {
  test('repeats for the same seed and differs for another seed', async () => {
    const flaw = keyFlaws[0] as Flaw;
    const first = await checkEnv(flaw.definition, quick);
    expect(await checkEnv(flaw.definition, quick)).toEqual(first);
    expect((await checkEnv(flaw.definition, { ...quick, seed: 1 })).findings).not.toEqual(first.findings);
  });

  test('lists five findings of a law and counts the rest', async () => {
    let total = 0;
    const definition = breakVault({
      result: (result) => ({ ...result, reward: { total: (total += 1), terms: {} } }),
    });
    const report = await checkEnv(definition, quick);
    const found = report.findings.filter(({ law }) => law === 'reward');
    expect(found.map(({ times }) => times)).toEqual([1, 1, 1, 1, 1]);
    expect(report.more.reward).toBe((report.checked.reward ?? 0) - 5);
    expect(formatReport(report)).toContain(`reward: ${report.more.reward} more findings like these`);
  });

  test('merges equal findings into one with the first place and the count', async () => {
    const definition = breakVault({ result: (result) => ({ ...result, reward: { total: 2, terms: {} } }) });
    const report = await checkEnv(definition, quick);
    const times = report.checked.reward ?? 0;
    const where = { task: { panel: 'train', index: 0 }, step: 0, call: 'step' };
    expect(report.findings.filter(({ law }) => law === 'reward')).toEqual([
      expect.objectContaining({ where, times }),
    ]);
    expect(times).toBeGreaterThan(50);
    expect(report.more).toEqual({});
    expect(formatReport(report)).toMatch(
      new RegExp(`^error reward \\(task train/0, step 0, step\\): .* And ${times - 1} more like it\\.$`, 'm'),
    );
  });

  test('keeps equal findings apart when call, severity, fix or law differ', () => {
    const writer = new ReportWriter();
    const finding = { law: 'crash', where: { call: 'step' }, what: 'It fell.', fix: 'Hold it.' } as const;
    for (const changed of [
      {},
      { where: { call: 'reset' } },
      { severity: 'warning' },
      { fix: 'Let it lie.' },
      { law: 'hang' },
      { where: { call: 'step', step: 3 } },
    ] as const) {
      writer.found({ ...finding, ...changed });
    }
    expect(writer.finish({ env: 'fall-v1', config: undefined }).findings.map(({ times }) => times)).toEqual([
      2, 1, 1, 1, 1,
    ]);
  });

  test('counts steps consistently and files a NaN reward under the law of rewards', async () => {
    const world = {
      id: 'my/sum-v1',
      summary: 'Add up',
      turnLimit: 5,
      panels: { train: 2 },
      task: () => ({ instruction: 'Add.', start: 0 }),
      observe: (sum: number) => String(sum),
      actions: () => ['add'],
    } as const;
    const unpaid = await checkEnv(
      defineTextEnv({ ...world, step: (sum: number) => ({ state: sum + 1, reward: { x: Number.NaN } }) }),
      quick,
    );
    expect(unpaid.findings.map(({ law, what }) => [law, what])).toEqual([['reward', 'x of reward is NaN.']]);
    const endless = await checkEnv(
      defineTextEnv({ ...world, step: (sum: number) => ({ state: sum < 2 ? sum + 1 : Number.NaN }) }),
      quick,
    );
    expect(endless.findings.map(describeFinding)).toEqual([
      expect.stringMatching(
        /^error crash \(task train\/0, step 2, step\): it threw: the state: it is not JSON: \$ is NaN.* And \d+ more like it\.$/,
      ),
    ]);
  });

  test('notes missing panels of purpose train and dev', async () => {
    const noteOf = async (...panels: readonly PanelInfo[]): Promise<readonly string[]> => {
      const { findings, notes } = await checkEnv(breakVault({ host: () => ({ panels }) }), quick);
      expect(findings.filter(({ law }) => law !== 'experts')).toEqual([]);
      return notes.filter((note) => note.startsWith('training needs'));
    };
    const [train, unseen] = vaultPanels as readonly [PanelInfo, PanelInfo];
    const needs = 'training needs a panel of purpose train, and one of purpose dev to choose on';
    expect(await noteOf(unseen)).toEqual([`${needs}: there is none of purpose train, none of purpose dev`]);
    expect(await noteOf(train, unseen)).toEqual([`${needs}: there is none of purpose dev`]);
    expect(await noteOf(train, { ...unseen, purpose: 'dev' })).toEqual([]);
  });

  test('reports an env without panels, even when a panel was requested', async () => {
    const { findings } = await checkEnv(breakVault({ host: () => ({ panels: [] }) }), {
      ...quick,
      panels: ['dev'],
    });
    expect(findings.map(({ law, what }) => [law, what])).toEqual([
      ['panels', 'the list is empty, so there is nothing to play.'],
    ]);
  });

  test('names a hanging call and the laws left unchecked because of it', async () => {
    const hanging = lifecycleFlaws.find(({ says }) => says.startsWith('waits in a step')) as Flaw;
    const text = formatReport(await checkEnv(hanging.definition, { ...quick, ...hanging.options }));
    expect(text).toContain(
      'error hang (task train/0, step 3, step): it did not return within 60 ms. It stopped when its signal aborted.',
    );
    expect(text).toContain('not checked repeat: an earlier call hung');
    const unchecked = [...text.matchAll(/^not checked ([a-z-]+):/gm)].map(([, law]) => law);
    expect(unchecked).toEqual([...new Set(unchecked)]);
    expect(text).toContain('not checked snapshot: an earlier call hung; there are no snapshots to look at');
    expect(text).toContain('note: 1 episode was played, ');
    expect(text).toMatch(/: 1 finding$/m);
  });

  test('reports an env that lists no actions and has no experts, and suggests --actions', async () => {
    const mute = breakVault({
      turn: () => ({ admissible: undefined }),
      host: () => ({ experts: undefined as never }),
    });
    const report = await checkEnv(mute, quick);
    expect(report.unchecked).toContainEqual({
      law: 'repeat',
      why: expect.stringContaining('there was nobody to choose an action') as string,
    });
    expect(report.findings).toEqual([
      expect.objectContaining({
        law: 'playable',
        severity: 'error',
        fix: expect.stringContaining(`npx cairn-gym check ${mute.id} --actions FILE`) as string,
      }),
    ]);
    const played = await checkEnv(mute, {
      ...quick,
      actions: (_, rng) => (rng.int(3) === 0 ? { do: 'shake' } : { do: 'open', box: rng.int(3) }),
    });
    expect(played.findings).toEqual([]);
    expect(played.checked.repeat).toBeGreaterThan(50);
  });

  test('ends a finding with one full stop and keeps an ellipsis', () => {
    const report = new ReportWriter();
    for (const end of ['.', '..', '...'])
      report.found({ law: 'text', where: {}, what: `it said so${end}`, fix: 'Fix it.' });
    expect(
      report.finish({ env: 'lab/x-v1', config: {} }).findings.map(({ what, times }) => ({ what, times })),
    ).toEqual([
      { what: 'it said so.', times: 2 },
      { what: 'it said so...', times: 1 },
    ]);
  });

  test('contains findings instead of an exception for malformed results of an env', async () => {
    for (const nonsense of [undefined, null, 7, 'ongoing', [], {}, { kind: 'ongoing', admissible: 3 }]) {
      const report = await checkEnv(
        breakVault({ env: () => ({ step: () => Promise.resolve(nonsense as never) }) }),
        quick,
      );
      expect(report.findings.length, JSON.stringify(nonsense)).toBeGreaterThan(0);
      const opened = await checkEnv(
        breakVault({ env: () => ({ reset: () => Promise.resolve(nonsense as never) }) }),
        quick,
      );
      expect(opened.findings.length, JSON.stringify(nonsense)).toBeGreaterThan(0);
    }
  });
});

describe('checkEnv on a host with limited concurrency', () => {
  /** A vault whose `create` throws when `most` envs are open. */
  function crowded(
    most: number,
    breakage: Breakage = {},
  ): { readonly definition: AnyEnvDefinition; readonly peak: () => number } {
    let peak = 0;
    const definition = breakVault({
      ...breakage,
      host: (host) => {
        let open = 0;
        const create = async (): Promise<AnyEnv> => {
          if (open === most) throw new Error('there is no room');
          peak = Math.max(peak, (open += 1));
          const env = await host.create();
          let closed = false;
          const close = async (): Promise<void> => {
            if (!closed) open -= 1;
            closed = true;
            await env.close();
          };
          return { ...env, close };
        };
        return { maxConcurrency: most, create };
      },
    });
    return { definition, peak: () => peak };
  }

  test.each([2, 5])('checks every law but luck with %i envs at once', async (most) => {
    const { definition, peak } = crowded(most);
    const report = await checkEnv(definition, quick);
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law)).toEqual(['luck']);
    expect(peak()).toBe(most);
  });

  test('skips the laws that need two envs when only one may be open', async () => {
    const { definition, peak } = crowded(1);
    const report = await checkEnv(definition, quick);
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law)).toEqual([
      'concurrency',
      'luck',
      'state-key-alias',
      'hidden',
    ]);
    expect(peak()).toBe(1);
  });

  test('checks an env without snapshots when only one env may be open', async () => {
    const { definition, peak } = crowded(1, { env: () => ({ snapshots: undefined as never }) });
    expect((await checkEnv(definition, quick)).findings.map(describeFinding)).toEqual([]);
    expect(peak()).toBe(1);
  });

  test('closes the env of a crashed episode so that the next one can open', async () => {
    const crashing: Breakage = {
      env: (env) => ({
        step: (action, context) =>
          JSON.stringify(action).includes('shake')
            ? Promise.reject(new Error('it broke'))
            : env.step(action, context),
      }),
    };
    const { findings } = await checkEnv(crowded(1, crashing).definition, quick);
    expect(findings.filter(({ law }) => law === 'crash').map(({ where }) => where.call)).not.toContain(
      'create',
    );
    expect(findings.map(({ law }) => law)).toContain('crash');
  });
});

describe('the law of hidden facts', () => {
  test('finds the points that hide something, however rare they are', async () => {
    const onlyAtFirst: Partial<typeof vaultAudit> = {
      swapHidden: (snapshot, rng) =>
        /true/.test(JSON.stringify(snapshot.world)) ? undefined : vaultAudit.swapHidden?.(snapshot, rng), // no box is open, the lamp is dark
    };
    const { notes } = await checkEnv(
      breakVault({ host: () => ({ audit: { ...vaultAudit, ...onlyAtFirst } }) }),
      { ...quick, tasksPerPanel: 10 },
    );
    const swapped = notes
      .map((note) => /hidden facts were swapped (\d+) times/.exec(note)?.[1])
      .find((times) => times !== undefined);
    expect(Number(swapped)).toBe(3 * quick.points);
  });

  type Swap = NonNullable<typeof vaultAudit.swapHidden>;

  /** The vault whose audit computes for `ms` milliseconds in each call, and then returns what `says` returns. */
  function slowVault(
    ms: number,
    says: (...given: Parameters<Swap>) => ReturnType<Swap>,
    told: () => void = () => undefined,
  ): { readonly definition: AnyEnvDefinition; readonly asked: () => number } {
    let asked = 0;
    const swapHidden: Swap = (...given) => {
      asked += 1;
      told();
      const until = performance.now() + ms;
      while (performance.now() < until);
      return says(...given);
    };
    return {
      definition: breakVault({ host: () => ({ audit: { ...vaultAudit, swapHidden } }) }),
      asked: () => asked,
    };
  }

  test('limits the calls of swapHidden and yields to the event loop', async () => {
    let turn = 0; // of the event loop
    let beat = setImmediate(function next() {
      turn += 1;
      beat = setImmediate(next);
    });
    const askedIn = new Map<number, number>();
    const told = (): void => void askedIn.set(turn, (askedIn.get(turn) ?? 0) + 1);
    const { definition, asked } = slowVault(5, (...given) => vaultAudit.swapHidden?.(...given), told);
    const report = await checkEnv(definition, { ...quick, tasksPerPanel: 10, panels: ['train'] }).finally(
      () => clearImmediate(beat),
    );
    expect(report.findings.map(describeFinding)).toEqual([]);
    expect(report.unchecked.map(({ law }) => law)).toEqual(['luck']);
    expect(asked()).toBeLessThan(120); // of some 250 points, 3 times at each of 8 and once at 8 more, and at some where nothing is hidden
    expect(Math.max(...askedIn.values())).toBeLessThanOrEqual(3); // the swaps of one point
  });

  itInAll('stops within the deadline when swapHidden is slow, and reports it', async () => {
    const { definition, asked } = slowVault(100, () => undefined);
    const { notes, unchecked } = await checkEnv(definition, {
      ...quick,
      deadlineMs: 1_000,
      tasksPerPanel: 10,
      panels: ['train'],
    });
    expect(asked()).toBeLessThanOrEqual(22);
    expect(
      notes.filter((note) =>
        /^audit\.swapHidden is slow: it was asked at \d+ of \d+ points, spread over all of them, and in 1000 ms at no more$/.test(
          note,
        ),
      ),
    ).toHaveLength(2);
    expect(unchecked).toContainEqual({
      law: 'hidden',
      why: 'audit.swapHidden changed no world at any point that was tried',
    });
  });

  test('visits points in an order whose every prefix is spread over all points', () => {
    expect(halving([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([0, 4, 2, 6, 1, 5, 3, 7]);
    for (const size of [0, 1, 2, 3, 5, 24, 100]) {
      const items = Array.from({ length: size }, (_, index) => index);
      expect(halving(items).toSorted((a, b) => a - b)).toEqual(items);
    }
    for (const part of [4, 10, 25]) {
      const places = [
        0,
        ...halving(Array.from({ length: 100 }, (_, index) => index)).slice(0, part),
        100,
      ].toSorted((a, b) => a - b);
      expect(
        Math.max(...places.slice(1).map((place, index) => place - (places[index] ?? 0))),
      ).toBeLessThanOrEqual((100 / part) * 3);
    }
  });
});

test.each([
  [
    'describeTask',
    'tasks',
    'it returned undefined, but a task must be an object.',
    { describeTask: () => undefined },
  ],
  [
    'audit.secrets',
    'secrets',
    'it returned a list with 7, but secrets must be a list of strings.',
    { audit: { ...vaultAudit, secrets: () => [7] } },
  ],
  ['audit.swapHidden', 'hidden', 'it returned null.', { audit: { ...vaultAudit, swapHidden: () => null } }],
] as const)('checkEnv reports an invalid return value of %s once', async (call, law, what, host) => {
  const { findings } = await checkEnv(breakVault({ host: () => host as never }), quick);
  const own = findings.filter((finding) => finding.where.call === call);
  expect(own.map((finding) => [finding.law, finding.what])).toContainEqual([law, what]);
  expect(
    findings.filter((finding) => finding.law === 'crash' || finding.where.call !== call),
    findings.map(describeFinding).join('\n'),
  ).toEqual([]);
});

describe('checkEnv on a broken searcher', () => {
  test.each(lifecycleFlaws.filter(({ says, law }) => law === 'experts' && /search/.test(says)))(
    'reports only the searcher of an env that $says',
    async ({ definition }) => {
      const { findings } = await checkEnv(definition, quick);
      expect([...new Set(findings.map(({ law, where }) => `${law} ${where.call}`))]).toEqual([
        'experts searcher',
      ]);
    },
  );
});

describe('the options of checkEnv', () => {
  test('invalid options are refused before anything is opened', async () => {
    const closed = { ...breakVault({}), open: () => Promise.reject(new Error('opened')) };
    await expect(checkEnv(closed, { tasksPerPanel: 0 })).rejects.toThrow(
      /^options of checkEnv: tasksPerPanel: /,
    );
    await expect(checkEnv(closed, { taskPerPanel: 3 } as never)).rejects.toThrow(
      /the option "taskPerPanel" does not exist/,
    );
    await expect(checkEnv(vault, { panels: ['dev'] })).rejects.toThrow(
      /vault-v1 has no panel "dev"\. Choose one of train, unseen\./,
    );
  });

  test('notes once what an opening env counts', async () => {
    const counting = {
      ...vault,
      open: (async (config, context) => {
        context.log.event(context.path, {
          type: 'opening-tally',
          part: 'boxes',
          name: 'rusty ones',
          count: 2,
        });
        return vault.open(config, context);
      }) satisfies typeof vault.open,
    };
    const { notes } = await checkEnv(counting, { ...quick, laws: ['definition'] });
    expect(notes.filter((note) => note.includes('rusty'))).toEqual(['opening, boxes: rusty ones: 2']);
  });

  test('laws selects laws together with those they depend on', async () => {
    const { checked, unchecked, notes, findings } = await checkEnv(vault, { ...quick, laws: ['hidden'] });
    const always = ['definition', 'panels', 'playable', 'crash', 'hang'];
    expect(Object.keys(checked).toSorted()).toEqual(
      [...always, 'repeat', 'reuse', 'concurrency', 'anchor-key', 'hidden'].toSorted(),
    );
    expect({ unchecked, findings }).toEqual({ unchecked: [], findings: [] });
    expect(notes.at(-1)).toMatch(/^10 laws were selected; not checked were tasks, json, schema, /);
  });

  test('laws omits findings of laws that are neither selected nor depended on', async () => {
    const unsteady = repeatFlaws.find(({ law }) => law === 'repeat') as Flaw;
    const told = await checkEnv(unsteady.definition, { ...quick, laws: ['hidden'] });
    expect(told.findings.map(({ law }) => law)).toContain('repeat');
    expect(
      told.findings.filter(({ law }) => !['repeat', 'reuse', 'concurrency', 'anchor-key'].includes(law)),
    ).toEqual([]);
    expect(told.unchecked).toContainEqual({
      law: 'hidden',
      why: 'the env breaks the law repeat, so episodes cannot be compared',
    });
    expect((await checkEnv(unsteady.definition, { ...quick, laws: ['order'] })).findings).toEqual([]);
  });

  test.each([
    [
      ['hiden'],
      /^options of checkEnv, laws: the law "hiden" does not exist\. Did you mean hidden\? The laws are definition, /,
    ],
    [[], /^options of checkEnv, laws: the list of laws is empty\. The laws are /],
  ])('laws refuses %j', async (names, says) => {
    await expect(checkEnv(vault, { laws: names as never })).rejects.toThrow(says);
  });

  test('panels and config select what is played', async () => {
    const report = await checkEnv(vault, { ...quick, panels: ['unseen'], config: { bonus: 2 } });
    expect(report.config).toEqual({ bonus: 2 });
    expect(report.notes.slice(0, 3)).toEqual([
      expect.stringMatching(/^8 episodes were played/),
      expect.stringMatching(/^of 7 different actions/),
      '2 of 10 tasks of unseen were played; --tasks (tasksPerPanel) for more',
    ]);
    expect(
      (await checkEnv(vault, { ...quick, tasksPerPanel: 10, episodes: 1, panels: ['unseen'] })).notes.filter(
        (note) => note.includes('--tasks'),
      ),
    ).toEqual([]);
    expect(
      (await checkEnv(vault, { config: { bonus: 'much' } as never })).findings.map(({ what }) => what),
    ).toEqual([expect.stringMatching(/^the config given does not parse: bonus: /)]);
  });

  test('signal cancels the check and closes what was opened', async () => {
    const caller = new AbortController();
    const closed: string[] = [];
    const definition = breakVault({
      env: (env) => ({
        step: async (action, context) => {
          caller.abort(new Error('interrupted'));
          return env.step(action, context);
        },
        close: async () => void closed.push('env'),
      }),
      host: () => ({ close: async () => void closed.push('host') }),
    });
    await expect(checkEnv(definition, { ...quick, signal: caller.signal })).rejects.toThrow('interrupted');
    expect(closed.filter((what) => what === 'host')).toHaveLength(2);
    expect(closed[0]).toBe('env');
  });
});

test('assertEnv throws a UsageError that lists the findings', async () => {
  const flaw = keyFlaws[0] as Flaw;
  await expect(assertEnv(flaw.definition, quick)).rejects.toSatisfy(
    (thrown) =>
      UsageError.is(thrown) &&
      thrown.message.includes('state-key-alias') &&
      thrown.message.includes('vault-v1'),
  );
});
