import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, test, onTestFinished } from 'vitest';
import { FaultError } from '../../../envs/core/errors.ts';
import { startMcpHttpServer } from '../../../serve/mcp/http-server.ts';
import { createNotes } from '../../fixtures/mcp/notes.mjs';
import { useFolder } from '../../support/own-folder.ts';
import { addNote, play, writeTasks, type Playing } from './playing.ts';

const at = useFolder();

async function playAt(url: string, settings: object = {}, server: object = {}): Promise<Playing> {
  const tasks = await writeTasks(at('tasks.json'), { panels: { train: [addNote] } });
  return await play({
    servers: { notes: { type: 'http', url, reset: { tool: 'clear' }, ...server } },
    tasks,
    startMs: 20_000,
    ...settings,
  });
}

/** Notes over HTTP, in one server that all requests share, as a server with a store would. */
async function serveNotes(): Promise<{ readonly url: string; readonly headers: readonly string[] }> {
  const shared = new Map<string, string>();
  const headers: string[] = [];
  const handler = createMcpHandler(() => createNotes({ notes: shared }));
  const server = await startMcpHttpServer({
    handle: (request) => {
      headers.push(request.headers.get('x-key') ?? '');
      return handler.fetch(request);
    },
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(async () => {
    await handler.close();
    await server.close();
  });
  return { url: server.url, headers };
}

/** A server that answers some call in a wrong way. */
async function serveBadly(answer: (server: Server) => void): Promise<string> {
  const server = createServer();
  answer(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const faultOf = async (work: Promise<unknown>): Promise<unknown> =>
  await work.then(
    () => undefined,
    (thrown: unknown) => (FaultError.is(thrown) ? thrown.fault : thrown),
  );

describe('a server behind an address', () => {
  test('plays, is reset by its tool, and gets headers from the environment', async () => {
    const { url, headers } = await serveNotes();
    process.env['CAIRN_TEST_KEY'] = 'secret';
    onTestFinished(() => void delete process.env['CAIRN_TEST_KEY']);
    for (let episode = 0; episode < 2; episode += 1) {
      await using playing = await playAt(url, {}, { pass: { 'x-key': 'CAIRN_TEST_KEY' } });
      await playing.call('notes.add', { title: 'milk', text: 'two litres' });
      expect(await playing.step({ kind: 'done' })).toMatchObject({ outcome: 'solved' });
    }
    expect(new Set(headers)).toEqual(new Set(['secret']));
  });

  test('a key that is not set is refused', async () => {
    await expect(playAt('http://127.0.0.1:1/mcp', {}, { pass: { 'x-key': 'CAIRN_NO_KEY' } })).rejects.toThrow(
      /CAIRN_NO_KEY is not set/,
    );
  });

  test('an address without a server is a fault', async () => {
    expect(await faultOf(playAt('http://127.0.0.1:1/mcp'))).toMatchObject({
      kind: 'tool-server-failed',
      code: 'start',
    });
  });

  test.each<[string, (server: Server) => void]>([
    ['refuses', (server) => server.on('request', (_, response) => response.writeHead(403).end('no'))],
    ['never answers', (server) => server.on('request', () => undefined)],
    ['answers with pages', (server) => server.on('request', (_, response) => response.end('<html>'))],
    ['hangs up', (server) => server.on('request', (_, response) => response.destroy())],
  ])('a server is a fault in time where it %s', async (_, answer) => {
    const url = await serveBadly(answer);
    expect(await faultOf(playAt(url, { startMs: 500 }))).toMatchObject({ code: 'start' });
  });

  test('a server is a fault where it sends too much', async () => {
    const url = await serveBadly((server) =>
      server.on('request', (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"x":"');
        const more = (): void => {
          if (!response.destroyed && response.write('x'.repeat(65_536))) setImmediate(more);
        };
        response.on('drain', more).on('error', () => undefined);
        more();
      }),
    );
    expect(await faultOf(playAt(url, { answerBytes: 1_000_000 }))).toMatchObject({ code: 'too-large' });
  });
});
