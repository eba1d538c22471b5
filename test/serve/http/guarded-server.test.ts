import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { programLimits, startGuardedServer } from '../../../serve/http/guarded-server.ts';

/** The first line and the body of the answer to a request that is written as it is. */
async function answerTo(port: number, head: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString();
  return `${text.split('\r\n')[0]} ${text.split('\r\n\r\n')[1]}`;
}

async function start(token?: string) {
  const server = await startGuardedServer(
    { host: '127.0.0.1', port: 0, token },
    { limits: { ...programLimits, requireHostHeader: false }, mostConnections: 8 },
    (_message, response, { admission }) => {
      const isRefused = admission.refused !== undefined;
      const text = isRefused ? admission.why : admission.path;
      response.writeHead(admission.refused ?? 200, { 'content-length': text.length }).end(text);
    },
  );
  onTestFinished(() => server.close());
  const { host, port } = new URL(server.origin);
  return { host: `Host: ${host}`, port: Number(port) };
}

it('a guarded server admits its own host name, and gives the path without query and token', async () => {
  const open = await start();
  expect(await answerTo(open.port, ['GET /a/b?c=1 HTTP/1.1', open.host])).toBe('HTTP/1.1 200 OK /a/b');
  const closed = await start('secret-token');
  expect(await answerTo(closed.port, ['GET /secret-token/a HTTP/1.1', closed.host])).toBe(
    'HTTP/1.1 200 OK /a',
  );
});

it('a guarded server refuses two Host headers, other host names and requests without the token', async () => {
  const { host, port } = await start('secret-token');
  expect(await answerTo(port, ['GET /secret-token/a HTTP/1.1', host, host])).toBe(
    'HTTP/1.1 400 Bad Request it has two Host headers.',
  );
  expect(await answerTo(port, ['GET /a HTTP/1.1', host])).toMatch(/^HTTP\/1.1 403 .*holds the token/);
  const open = await start();
  expect(await answerTo(open.port, ['GET /a HTTP/1.1', 'Host: elsewhere.example'])).toMatch(
    /^HTTP\/1.1 403 /,
  );
});

it('a guarded server with a token admits every host name, and refuses them all without the token', async () => {
  const { port } = await start('secret-token');
  const host = 'Host: gpu-box.lan';
  expect(await answerTo(port, ['POST /secret-token/a HTTP/1.1', host])).toBe('HTTP/1.1 200 OK /a');
  expect(await answerTo(port, ['POST /other-token/a HTTP/1.1', host])).toMatch(
    /^HTTP\/1.1 403 .*holds the token/,
  );
  expect(
    await answerTo(port, ['POST /secret-token/a HTTP/1.1', host, 'Origin: http://evil.invalid']),
  ).toMatch(/^HTTP\/1.1 403 .*another site/);
});

it('a guarded server that others can reach needs a token', async () => {
  await expect(
    startGuardedServer(
      { host: '0.0.0.0', port: 0 },
      { limits: programLimits, mostConnections: 1 },
      () => undefined,
    ),
  ).rejects.toThrow(/other machines can reach it/);
});
