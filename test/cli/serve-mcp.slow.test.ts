// Slow: starts the command as MCP clients do.
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { untilGone } from '../support/processes.ts';
import { root } from '../support/run-program.ts';

const command = path.join(root, 'dist/cli/main.js');

describe.each(['auto', 'legacy'] as const)('a client that negotiates: %s', (mode) => {
  it('plays over standard input and output, and the process ends with it', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [command, 'serve', 'lights-out', '--mcp', '--quiet'],
    });
    await client.connect(transport);
    expect(client.getProtocolEra()).toBe(mode === 'auto' ? 'modern' : 'legacy');
    const pid = transport.pid ?? 0;
    await playOnce(client);
    await client.close();
    await untilGone([pid]);
  });

  it('plays over HTTP, where no session is kept, until SIGTERM', async () => {
    const server = spawn(process.execPath, [
      command,
      'serve',
      'lights-out',
      '--mcp',
      '--port',
      '0',
      '--json',
    ]);
    try {
      const [printed] = await Promise.race([
        new Promise<Buffer[]>((resolve) => server.stdout.once('data', (chunk: Buffer) => resolve([chunk]))),
        new Promise<never>((_, reject) =>
          server.once('exit', (code) => reject(new Error(`it ended: ${code}`))),
        ),
      ]);
      const { url } = z.looseObject({ url: z.string() }).parse(JSON.parse(String(printed)));
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(new URL(url)));
      await playOnce(client);
      await client.close();
    } finally {
      server.kill('SIGTERM');
    }
    expect(await new Promise((resolve) => server.once('exit', resolve))).toBe(143);
  });
});

const shownSchema = z.looseObject({ episode: z.string(), actions: z.array(z.string()), done: z.boolean() });

async function playOnce(client: Client): Promise<void> {
  const start = await client.callTool({ name: 'start_episode', arguments: { panel: 'dev' } });
  const { episode, actions } = shownSchema.parse(start.structuredContent);
  const next = await client.callTool({ name: 'step', arguments: { episode, action: actions[0] } });
  expect(shownSchema.parse(next.structuredContent)).toMatchObject({ episode, done: false });
}
