import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import type { Opening } from '../../../envs/core/step.ts';
import { openEnv } from '../../../envs/open.ts';
import { nodesOf } from '../../../envs/engines/browser/view/page-tree.ts';
import { isSameAction, type WebAction } from '../../../envs/web/action.ts';
import type { webConfig } from '../../../envs/web/config.ts';
import { webEnv } from '../../../envs/web/definition.ts';
import { describeObservation, type WebObservation } from '../../../envs/web/observation.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { context, foreignCore, foreignPage, named, onFirst } from './foreign-pages.ts';

await describeWithParts(['chromium'], 'web-v1', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cairn-pages-'));
    await mkdir(path.join(folder, 'html', 'core'), { recursive: true });
    await mkdir(path.join(folder, 'html', 'miniwob'));
    await writeFile(path.join(folder, 'html', 'core', 'core.js'), foreignCore);
    await writeFile(path.join(folder, 'html', 'miniwob', 'two.html'), foreignPage);
    await writeFile(path.join(folder, 'html', 'miniwob', 'other.html'), foreignPage);
    await writeFile(
      path.join(folder, 'html', 'miniwob', 'hang.html'),
      foreignPage.replace('core.endEpisode(name', 'for (;;); core.endEpisode(name'),
    );
    await writeFile(path.join(folder, 'html', 'miniwob', 'notes.html'), '<p>no page of the convention</p>');
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** The foreign pages, with the task named. */
  const foreign = (task: string, rest: z.input<typeof webConfig> = {}): z.input<typeof webConfig> => ({
    pages: path.join(folder, 'html', 'miniwob'),
    tasks: [task],
    ...rest,
  });

  it('offers the possible actions, and pays what the page says', async () => {
    await onFirst({ tasks: ['click-button'] }, async ({ env, opening }) => {
      const wanted = /"(.+)"/.exec(opening.instruction)?.[1] ?? '';
      expect(opening.admissible).toHaveLength(6);
      expect(describeObservation(opening.observation)).toContain(`button "${wanted}"`);
      const right = opening.admissible?.find(
        (action) => action.kind === 'click' && action.about === `button "${wanted}"`,
      ) as WebAction;
      expect(await env.step(right, context)).toMatchObject({
        kind: 'terminated',
        outcome: 'solved',
        reward: { total: 1, terms: { page: 1 } },
        inadmissible: false,
        metrics: { raw: 1 },
      });
    });
  });

  it.each([
    ['raw', 0.5, 'half'],
    ['binary', 1, 'half'],
    ['timed', 0.5 * 0.85, 'half'], // three refused actions of half a second each came before
    ['raw', -1, 'wrong'],
    ['binary', 0, 'wrong'],
  ] as const)('plays foreign pages unchanged: %s pays %d', async (reward, total, choice) => {
    await onFirst(foreign('two', { reward }), async ({ env, opening }) => {
      expect(opening.instruction).toMatch(/^Press (left|right)$/);
      const name = choice === 'half' ? 'half' : opening.instruction === 'Press left' ? 'right' : 'left';
      for (let time = 0; time < 3; time += 1) {
        const refused = await env.step({ kind: 'click', element: 'e99' }, context);
        expect(refused).toMatchObject({
          kind: 'ongoing',
          inadmissible: true,
          observation: { refused: 'there is no element e99 on this page' },
        });
      }
      const done = await env.step(
        { kind: 'click', element: named(opening, 'button', new RegExp(`^${name}$`)) },
        context,
      );
      expect(done).toMatchObject({ kind: 'terminated', outcome: total > 0 ? 'solved' : 'failed' });
      expect(done.reward.total).toBeCloseTo(total, 6);
    });
  });

  it.each([
    [
      'a key that no keyboard has',
      { kind: 'press', key: 'Bogus' },
      /the action does not match the schema: .*key/,
    ],
    ['an unknown direction', { kind: 'scroll', direction: 'sideways' }, /direction/],
    ['an unknown kind', { kind: 'nonsense' }, /kind/],
    ['null', null, /the action does not match the schema/],
    ['an address of a megabyte', { kind: 'goto', url: `/${'x'.repeat(1_000_000)}` }, /url/],
  ])('refuses an invalid action: %s', async (_what, action, words) => {
    await onFirst(foreign('two'), async ({ env }) => {
      const refusal: unknown = await env
        .step(action as unknown as WebAction, context)
        .catch((thrown: unknown) => thrown);
      expect(UsageError.is(refusal) && words.test(refusal.message), String(refusal)).toBe(true);
    });
  });

  it.each([
    [
      'goes to another page',
      (opening: Opening<WebObservation, WebAction>): WebAction => ({
        kind: 'click',
        element: named(opening, 'link', /elsewhere/),
      }),
    ],
    ['reloads the page', (): WebAction => ({ kind: 'goto', url: '/miniwob/two.html' })],
    ['goes to an address without a page', (): WebAction => ({ kind: 'goto', url: '/core/core.js' })],
  ])('fails an episode whose agent %s', async (_what, leave) => {
    await onFirst(foreign('two'), async ({ env, opening }) => {
      expect(await env.step(leave(opening), context)).toMatchObject({
        kind: 'terminated',
        outcome: 'failed',
        reward: { total: -1 },
      });
    });
  });

  it('goes on over several documents, even after a reload, and fails when it is left for another page', async () => {
    await onFirst({ tasks: ['sign-up'], actionMs: 8000 }, async ({ env, opening }, host) => {
      const searcher = host.experts?.searcher?.(context.rng);
      let turn: Parameters<NonNullable<typeof searcher>['act']>[0] = opening;
      for (let step = 0; step < 4; step += 1) {
        const result = await env.step(
          step === 3 ? { kind: 'goto', url: turn.observation.url } : (searcher?.act(turn) as WebAction),
          context,
        );
        if (result.kind !== 'ongoing') throw new Error('it has ended');
        turn = result;
      }
      expect(turn.observation.url).toContain('sign-up.html?');
      expect(await env.step({ kind: 'goto', url: '/pages/book-trip.html' }, context)).toMatchObject({
        kind: 'terminated',
        outcome: 'failed',
        reward: { total: -1 },
      });
    });
  });

  it('ends at the step limit, by the clock of the page when time counts, and when the agent stops', async () => {
    const wait: WebAction = { kind: 'press', key: 'Tab' };
    await onFirst({ tasks: ['click-button'], maxSteps: 2 }, async ({ env, opening }) => {
      expect(opening.stepsLeft).toBe(2);
      await env.step(wait, context);
      expect(await env.step(wait, context)).toMatchObject({
        kind: 'terminated',
        outcome: 'failed',
        limit: 'turn-limit',
        reward: { total: -1 },
      });
    });
    await onFirst({ tasks: ['click-button'], reward: 'timed', actionMs: 6000 }, async ({ env }) => {
      await env.step(wait, context);
      expect(await env.step(wait, context)).toMatchObject({
        kind: 'terminated',
        outcome: 'failed',
        reward: { total: -1 },
      });
    });
    await onFirst({ tasks: ['click-button'] }, async ({ env }) =>
      expect(await env.step({ kind: 'stop' }, context)).toMatchObject({
        kind: 'terminated',
        outcome: 'failed',
        reward: { total: 0 },
      }),
    );
  });

  it('repeats a task exactly and varies between tasks, with pictures on request', async () => {
    await onFirst({ tasks: ['enter-text', 'tick-boxes'], screenshots: true }, async ({ env, opening }) => {
      expect(
        Buffer.from(opening.observation.screenshot ?? '', 'base64')
          .subarray(1, 4)
          .toString(),
      ).toBe('PNG');
      const other = await env.reset({ panel: 'dev', index: 2 }, context);
      expect(other.anchorKey).not.toBe(opening.anchorKey);
      expect(await env.reset({ panel: 'dev', index: 0 }, context)).toEqual(opening);
    });
  });

  it('begins partly solved when the curriculum is on', async () => {
    const host = await openEnv(webEnv, { tasks: ['sign-in', 'click-button'], curriculum: true }, context);
    const families = [0, 1, 2, 3].map((index) => host.describeTask({ panel: 'train', index }).family);
    expect(families).toEqual(['sign-in', 'click-button', 'sign-in, 1/3 done', 'sign-in, 2/3 done']);
    expect(host.panels.find(({ name }) => name === 'test')?.size).toBe(40);
    const env = await host.create();
    const held = async (index: number): Promise<readonly (string | undefined)[]> =>
      [...nodesOf((await env.reset({ panel: 'train', index }, context)).observation.content)]
        .filter(({ role }) => role === 'textbox')
        .map(({ value }) => value);
    expect((await held(0)).filter((value) => (value ?? '') !== '')).toHaveLength(0);
    expect((await held(3)).filter((value) => (value ?? '') !== '')).toHaveLength(1);
    await env.close();
    await host.close();
  });

  it('offers the actions of its searcher among the listed ones', async () => {
    await onFirst({ tasks: ['tick-boxes'] }, async ({ opening }, host) => {
      const action = host.experts?.searcher?.(context.rng).act(opening) as WebAction;
      expect(opening.admissible).toContain(action);
      expect(opening.admissible?.filter((offered) => isSameAction(offered, action))).toHaveLength(1);
    });
  });

  it('faults alone when a page hangs, and the next episode plays', async () => {
    await onFirst(foreign('hang', { patienceMs: 2000 }), async ({ env, opening }) => {
      const thrown: unknown = await env
        .step({ kind: 'click', element: named(opening, 'button', /left/) }, context)
        .catch((error: unknown) => error);
      expect(FaultError.is(thrown) && thrown.fault.kind).toBe('deadline-passed');
      expect(await env.reset({ panel: 'dev', index: 0 }, context)).toMatchObject({
        instruction: opening.instruction,
      });
    });
  });

  it.each([
    [{ pages: '/nowhere/at/all' }, /it is not there/],
    [{ tasks: ['click-buton'] }, /there is no page click-buton\. Did you mean click-button\?/],
    [{ browserPath: '/bin/nothing' }, /no executable program/],
  ])('refuses %j', async (config, why) => expect(openEnv(webEnv, config, context)).rejects.toThrow(why));

  it('refuses folders without pages, and pages without their core', async () => {
    await expect(openEnv(webEnv, { pages: path.join(folder, 'html', 'core') }, context)).rejects.toThrow(
      /none of its 0 documents loads a core\/core\.js/,
    );
    const bare = path.join(folder, 'bare', 'pages');
    await mkdir(bare, { recursive: true });
    await writeFile(path.join(bare, 'a.html'), foreignPage);
    await expect(openEnv(webEnv, { pages: bare }, context)).rejects.toThrow(
      /its script .*core\.js is missing/,
    );
    await mkdir(path.join(folder, 'bare', 'core'));
    await writeFile(path.join(folder, 'bare', 'core', 'core.js'), '');
    await onFirst({ pages: bare }, async () => undefined).then(
      () => expect.unreachable(),
      (thrown: unknown) => expect(String(thrown)).toContain('it has no Math.seedrandom'),
    );
  });
});
