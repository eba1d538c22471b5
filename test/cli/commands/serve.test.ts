import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { commands } from '../../../cli/commands.ts';
import { runCairn } from '../../../cli/program/run-cairn.ts';
import { createTerminal } from '../../../cli/terminal/terminal.ts';
import { Readable } from 'node:stream';
import { cairn, Collector } from '../../support/command-line.ts';
import type { Ran } from '../../support/run-program.ts';

const documentSchema = z.strictObject({
  url: z.string(),
  env: z.literal('shop-v1'),
  config: z.looseObject({ maxSteps: z.number() }),
  panels: z.array(z.strictObject({ name: z.string(), size: z.number(), purpose: z.string() })),
});

/** Serves until `use` is done, then interrupts; `use` gets what stands on stdout once it listens. */
async function serving(
  words: readonly string[],
  use: (printed: string) => Promise<void>,
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const out = new Collector();
  const err = new Collector();
  const signals = new EventEmitter();
  const listening = new Promise<void>((resolve) => {
    const write = out._write.bind(out);
    out._write = (chunk: Buffer, encoding: string, done: () => void): void => {
      write(chunk, encoding, done);
      resolve();
    };
  });
  const ended = runCairn(['serve', 'shop', '--port', '0', ...words], commands, {
    terminal: createTerminal({ out, err, environment }),
    stdin: Readable.from([]),
    environment,
    now: () => performance.now(),
    wallClock: () => 0,
    signals,
    kill: () => undefined,
    version: '9.9.9',
  });
  const early = await Promise.race([listening, ended]);
  expect(early, err.text).toBeUndefined();
  try {
    await use(out.text);
  } finally {
    signals.emit('SIGINT', 'SIGINT');
  }
  return { code: await ended, out: out.text, err: err.text };
}

describe('cairn-gym serve shop', () => {
  it('prints its address, serves there and exits with the code of the signal', async () => {
    let address = '';
    const ran = await serving([], async (printed) => {
      address = printed.trim();
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
      const answer = await fetch(address);
      expect([answer.status, await answer.text()]).toEqual([
        200,
        expect.stringContaining('Pick a goal to shop for'),
      ]);
    });
    expect(ran.code).toBe(130);
    expect(ran.out).toBe(`${address}\n`);
    expect(ran.err).toContain('interrupted by SIGINT');
    expect(ran.err).not.toContain('error:');
    await expect(fetch(address)).rejects.toThrow();
  });

  it('prints one JSON document as soon as it listens, and nothing after it', async () => {
    let atStart = '';
    const ran = await serving(['--json', '--panel', 'test', '--set', 'maxSteps=40'], async (printed) => {
      atStart = printed;
      const { url, panels, config } = documentSchema.parse(JSON.parse(printed));
      expect([panels, config.maxSteps]).toEqual([[{ name: 'test', size: 500, purpose: 'held-out' }], 40]);
      const opened = await fetch(`${url}visits`, {
        method: 'POST',
        body: new URLSearchParams({ panel: 'test', goal: '7' }),
      });
      expect(await opened.text()).toContain('0 of 40 steps');
    });
    expect([ran.code, ran.out]).toEqual([130, atStart]);
  });

  it('requires a token on public hosts: a generated one, or CAIRN_SERVE_TOKEN', async () => {
    await serving(['--host', '0.0.0.0', '--json'], async (printed) => {
      const url = documentSchema.parse(JSON.parse(printed)).url.replace('0.0.0.0', '127.0.0.1');
      expect(url).toMatch(/:\d+\/[\w-]{24}\/$/);
      expect([(await fetch(url)).status, (await fetch(new URL('/', url))).status]).toEqual([200, 403]);
    });
    const environment = { CAIRN_SERVE_TOKEN: 'a-token-of-my-own' };
    await serving(
      ['--host', '0.0.0.0'],
      async (printed) => expect(printed).toMatch(/\/a-token-of-my-own\/\n$/),
      environment,
    );
    const { code, err } = await cairn(['serve', 'shop', '--port', '0', '--host', '0.0.0.0'], {
      environment: { CAIRN_SERVE_TOKEN: 'short' },
    });
    expect([code, err]).toEqual([2, expect.stringContaining('CAIRN_SERVE_TOKEN')]);
  });

  it.each([
    [['serve'], /<site> is missing/],
    [['serve', 'household'], /<site>: must be shop or search; --mcp serves any environment/],
    [['serve', 'shop', '--port', '70000'], /--port: must be at most 65535/],
    [['serve', 'shop', '--port', 'x'], /--port: must be an integer/],
    [
      ['serve', 'shop', '--port', '0', '--panel', 'tst'],
      /--panel tst: the panel does not exist\. Did you mean .*test/,
    ],
    [
      ['serve', 'shop', '--port', '0', '--set', 'observationMode=html'],
      /observationMode: the web site has its own pages/,
    ],
    [['serve', 'shop', '--port', '0', '--set', 'nothing=1'], /nothing/],
    [['serve', 'shop', '--prt', '0'], /--port/],
    [['serve', 'shop', '--visits', '0'], /--visits: must be at least 1/],
  ])('refuses %j', async (words, message) => {
    const { code, out, err } = await cairn(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('prints its usage', async () => {
    const { code, out } = await cairn(['serve', '--help']);
    expect(code).toBe(0);
    for (const words of [
      '--port',
      '--host',
      '--set',
      '--panel',
      '--config',
      'npx cairn-gym serve shop --port 0 --json',
    ])
      expect(out).toContain(words);
  });
});
