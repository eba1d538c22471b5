import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemOf } from '../../../cli/program/session-context.ts';
import { codeEnv } from '../../../envs/code/definition.ts';
import { machineLearningEnv } from '../../../envs/code/machine-learning/definition.ts';
import { verilogEnv } from '../../../envs/code/verilog/definition.ts';
import { createContext, forkContext } from '../../../envs/core/context.ts';
import { openEnv } from '../../../envs/open.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'cairn-host-'));
const socket = path.join(folder, 'gone.sock');
let server: Server;
beforeAll(
  () =>
    new Promise<void>((resolve) => {
      server = createServer((connection) => connection.destroy()).listen(socket, resolve); // it listens, but is not a daemon
    }),
);
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['code-v1', codeEnv, path.join(folder, 'missing.sock'), /missing\.sock is not there/],
  ['code-v1', codeEnv, socket, /gone\.sock/],
  ['ml-engineering-v1', machineLearningEnv, path.join(folder, 'missing.sock'), /missing\.sock is not there/],
  ['verilog-v1', verilogEnv, path.join(folder, 'missing.sock'), /missing\.sock is not there/],
] as const)(
  '%s refuses to open when the daemon at DOCKER_HOST does not answer: %#',
  async (_, definition, at, says) => {
    const context = createContext({
      seed: 0,
      now: () => performance.now(),
      system: systemOf({ DOCKER_HOST: `unix://${at}`, SECRET: 'x' }),
    });
    expect(context.system).toEqual({ DOCKER_HOST: `unix://${at}` });
    using opening = forkContext(context, 'open');
    await expect(openEnv(definition as typeof codeEnv, { sandbox: 'docker' }, opening)).rejects.toThrow(says);
  },
);
