import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import { startPageServer, type PageServer, type PageServerOptions } from '../../../serve/http/page-server.ts';

async function start(options: Partial<PageServerOptions> = {}): Promise<PageServer> {
  const handler = async (asked: Request): Promise<Response> =>
    new Response(`${asked.method} ${asked.url} ${await asked.text()}`);
  const server = await startPageServer({ handler, host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

/** Sends headers that fetch would refuse. */
const ask = (
  url: string,
  {
    body,
    ...options
  }: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(url, options, (answer) => {
      let text = '';
      answer
        .setEncoding('utf8')
        .on('data', (chunk: string) => (text += chunk))
        .on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject).end(body);
  });

/** What comes back for a request's head as it is written here. */
const answerTo = (url: string, head: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let answer = '';
    socket
      .setEncoding('utf8')
      .on('data', (chunk: string) => (answer += chunk))
      .on('end', () => resolve(answer))
      .on('error', reject)
      .write([...head, 'Connection: close', '', ''].join('\r\n'));
  });

describe('a page server', () => {
  it('passes requests on unchanged', async () => {
    const { url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await ask(`${url}a?b=c`, { method: 'POST', body: 'd=e' })).toEqual({
      status: 200,
      text: `POST ${url}a?b=c d=e`,
    });
    expect(await ask(url, { method: 'HEAD' })).toEqual({ status: 200, text: '' });
  });

  it('refuses other hosts and other sites', async () => {
    const { url } = await start();
    expect((await ask(url, { headers: { host: 'evil.invalid' } })).status).toBe(403);
    expect((await ask(url, { method: 'POST', headers: { origin: 'http://evil.invalid' } })).status).toBe(403);
    expect((await ask(url, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(
      403,
    );
    expect((await ask(url)).status).toBe(200);
  });

  it('answers a method that no handler can have with 405', async () => {
    const { url } = await start();
    expect(await answerTo(url, ['TRACE / HTTP/1.1', `Host: ${new URL(url).host}`])).toMatch(
      /^HTTP\/1\.1 405 [^]*\r\nallow: GET, HEAD, POST\r\n/i,
    );
    expect(await answerTo(url, ['TRACE / HTTP/1.1', 'Host: evil.invalid'])).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    ['the same', ['Host: HERE', 'Host: HERE'], 400],
    ['ours first', ['Host: HERE', 'host: evil.invalid'], 400],
    ['ours last', ['HOST: evil.invalid', 'Host: HERE'], 400],
    ['three', ['Host: HERE', 'Host: HERE', 'Host: HERE'], 400],
    ['none', [], 400],
    ['one', ['Host: HERE', 'X-Host: HERE', 'X-Forwarded-Host: evil.invalid'], 200],
  ])('answers %s Host headers by their count', async (_, hosts, status) => {
    const { url } = await start();
    const lines = hosts.map((line) => line.replace('HERE', new URL(url).host));
    expect(await answerTo(url, ['GET / HTTP/1.1', ...lines])).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('refuses bodies and headers that are too large', async () => {
    const { url } = await start();
    expect((await ask(url, { method: 'POST', body: 'x'.repeat(65_536) })).status).toBe(200);
    const large = await ask(url, { method: 'POST', body: 'x'.repeat(2_000_000) }).catch(
      (thrown: unknown) => thrown as NodeJS.ErrnoException,
    );
    expect('status' in large ? large.status : large.code).toSatisfy(
      (told) => told === 413 || told === 'EPIPE' || told === 'ECONNRESET',
    );
    expect((await ask(url, { headers: { cookie: 'x'.repeat(20_000) } })).status).toBe(431);
    expect((await ask(url)).status).toBe(200);
  });

  it('reports a failure to its operator, not to the page', async () => {
    const said: string[] = [];
    const { url } = await start({
      handler: () => Promise.reject(new Error('a secret')),
      onError: (message) => void said.push(message),
    });
    const { status, text } = await ask(url);
    expect([status, text.includes('secret'), said]).toEqual([500, false, ['a secret']]);
  });

  it('requires its token in every path', async () => {
    const token = 'abcdefghijklmnop';
    const { url } = await start({ token });
    expect(url.endsWith(`/${token}/`)).toBe(true);
    expect((await ask(`${url}a`)).status).toBe(200);
    const { origin } = new URL(url);
    for (const path of ['/', '/a', '/abcdefghijklmno/', `/${token}x/`, `/?${token}`, `//${token}/`])
      expect((await ask(origin + path)).status).toBe(403);
  });

  it('requires a token when other machines can reach it', async () => {
    await expect(start({ host: '0.0.0.0' })).rejects.toThrow(
      /other machines can reach it, and there is no token\. Set a token, or bind 127\.0\.0\.1\./,
    );
    const { url } = await start({ host: '0.0.0.0', token: 'abcdefghijklmnop' });
    expect((await ask(url.replace('0.0.0.0', '127.0.0.1'))).status).toBe(200);
  });

  it('reports a port that is in use, and an address that is not its own', async () => {
    const { url } = await start();
    await expect(start({ port: Number(new URL(url).port) })).rejects.toThrow(
      /another program listens there\. Use another port/,
    );
    await expect(start({ host: '192.0.2.1', token: 'abcdefghijklmnop' })).rejects.toBeInstanceOf(UsageError);
  });

  it('closes despite an idle connection and a pending answer', async () => {
    const server = await start({ handler: () => new Promise(() => undefined) });
    const { url } = server;
    const idle = connect(Number(new URL(url).port), '127.0.0.1');
    await new Promise((resolve) => idle.once('connect', resolve));
    const ended = new Promise((resolve) => idle.once('close', resolve));
    idle.on('error', () => undefined);
    const waiting = ask(url).catch((thrown: unknown) => (thrown as NodeJS.ErrnoException).code);
    idle.write('GET / HTTP/1.1\r\n');
    await new Promise((resolve) => setImmediate(resolve));
    await server.close();
    await ended;
    expect(await waiting).toBe('ECONNRESET');
    await expect(ask(url)).rejects.toThrow(/ECONNREFUSED/);
  });
});
