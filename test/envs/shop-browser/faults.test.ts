import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultError, UsageError } from '../../../envs/core/errors.ts';
import { BrowserEngine } from '../../../envs/engines/browser/session/browser-engine.ts';
import { shopBrowserEnv } from '../../../envs/shop-browser/definition.ts';
import { browseShop, viewport } from '../../../envs/shop-browser/host.ts';
import { createCatalogue } from '../../../envs/shop/catalogue/memory-catalogue.ts';
import { openShop } from '../../../envs/shop/host.ts';
import { openEnv } from '../../../envs/open.ts';
import { browsersOf, mainOf } from '../../support/browser-processes.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { context, openCorner, panels, plainManner, plainNouns, products } from '../shop/corner-shop.ts';

const task = { panel: 'dev', index: 1 };

const faultOf = (thrown: unknown): string | undefined =>
  FaultError.is(thrown) ? thrown.fault.kind : undefined;

await describeWithParts(['chromium'], 'the shop in a failing browser', () => {
  let engine: BrowserEngine;
  beforeAll(async () => void (engine = await BrowserEngine.open({ viewport })));
  afterAll(() => engine.close());

  const browsed = (shop = openCorner()) =>
    browseShop(shop, { engine, observationMode: 'page', patienceMs: 30_000, strict: false });

  it('faults the running episodes when the browser is killed, and plays on in another one', async () => {
    const host = browsed();
    const [one, other] = [await host.create(), await host.create()];
    await one.reset(task, context);
    await other.reset(task, context);
    await one.step('search[linen shirt]', context);
    process.kill(mainOf(browsersOf(process.pid)), 'SIGKILL');
    for (const env of [one, other]) {
      expect(faultOf(await env.step('search[linen shirt]', context).catch((thrown: unknown) => thrown))).toBe(
        'env-crashed',
      );
      await expect(env.step('click[next >]', context)).rejects.toSatisfy((thrown) => UsageError.is(thrown));
    }
    await one.reset(task, context);
    expect((await one.step('search[linen shirt]', context)).stateKey).toContain('linen shirt');
    expect(engine.launches).toBe(2);
    await one.close();
    await other.close();
  });

  it('passes on a refusal of the shop, as shop-v1 does', async () => {
    const refusal = new UsageError({ where: 'nouns', what: 'a title is missing.', fix: 'Record it.' });
    const host = browsed(
      openShop(
        {
          catalogue: createCatalogue('generated', products),
          panels,
          nouns: plainNouns,
          score: () => {
            throw refusal;
          },
        },
        plainManner,
      ),
    );
    const env = await host.create();
    await env.reset(task, context);
    await env.step('search[linen shirt]', context);
    await env.step('click[b0shirt000]', context);
    await expect(env.step('click[buy now]', context)).rejects.toBe(refusal);
    await env.close();
  });

  it('gives up a page when the caller aborts', async () => {
    const host = browsed();
    const env = await host.create();
    await env.reset(task, context);
    const caller = new AbortController();
    const step = env.step('search[linen shirt]', { ...context, signal: caller.signal });
    caller.abort(new Error('enough'));
    await expect(step).rejects.toThrow('enough');
    await env.close();
  });

  it('searches for a megabyte, and rejects a query that no request can hold', async () => {
    const [host, plain] = [browsed(), openCorner()];
    const [env, twin] = [await host.create(), await plain.create()];
    await env.reset(task, context);
    await twin.reset(task, context);
    const megabyte = `search[shirt ${'\u20ac'.repeat(349_000)}]`;
    expect(
      (await env.step(megabyte, context)).stateKey === (await twin.step(megabyte, context)).stateKey,
    ).toBe(true);
    const before = await env.step('click[next >]', context);
    const huge = await env.step(`search[${'\u20ac'.repeat(500_000)}]`, context);
    expect([
      huge.inadmissible,
      huge.stateKey === before.stateKey,
      huge.observation === before.observation,
    ]).toEqual([true, true, true]);
    await env.close();
  });

  it('replaces returns and lone surrogates in a query, as the field of a page does', async () => {
    const env = await browsed().create();
    await env.reset(task, context);
    expect((await env.step('search[red\rshirt \ud800]', context)).stateKey).toContain(
      JSON.stringify('red shirt \ufffd'),
    );
    await env.close();
  });
});

it('shop-browser-v1 refuses a browser path without a browser', async () => {
  await expect(openEnv(shopBrowserEnv, { browserPath: '/nowhere/chromium' }, context)).rejects.toSatisfy(
    (thrown) => UsageError.is(thrown) && thrown.message.includes('browserPath'),
  );
});
