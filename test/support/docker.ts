import { existsSync } from 'node:fs';
import { createServer, createConnection, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import Docker from 'dockerode';
import {
  createDockerProvider,
  type DockerOptions,
  type Limits,
  type SandboxProvider,
} from '../../sandbox/index.ts';
import { usualSockets } from '../../sandbox/docker/daemon.ts';
import { ownerLabel } from '../../sandbox/docker/owner.ts';

/** The daemon that tests use: the one that `DOCKER_HOST` names, else the first of the usual ones. */
export function dockerSocket(): string {
  const named = (process.env['DOCKER_HOST'] ?? '').replace(/^unix:\/\//, '');
  return named === '' ? (usualSockets().find((socket) => existsSync(socket)) ?? '') : named;
}

export const dockerProvider = (options: Partial<DockerOptions> = {}): SandboxProvider =>
  createDockerProvider({ host: process.env['DOCKER_HOST'], now: () => performance.now(), ...options });

export const dockerLimits: Limits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 128 * 2 ** 20,
  pids: 32,
  diskBytes: 8 * 2 ** 20,
  outputBytes: 10_000,
};

const marked = (
  all: readonly { readonly Labels?: Readonly<Record<string, string>> | null }[],
  mark: string,
): number => all.filter(({ Labels }) => Labels?.[ownerLabel]?.includes(mark) === true).length;
const filters = { label: [ownerLabel] };

/** Containers and volumes whose owner's label has `mark` in it. */
export async function countOwned(mark: string): Promise<number> {
  const docker = new Docker({ socketPath: dockerSocket(), host: undefined });
  const { Volumes } = await docker.listVolumes({ filters });
  return marked(await docker.listContainers({ all: true, filters }), mark) + marked(Volumes ?? [], mark);
}

/**
 * Waits until every container of `mark` has stopped by itself. Then waits until the next provider that opens a sandbox has removed
 * their volumes and the containers that never started. Returns false when something remains for `ms`.
 */
export async function comesToNothing(mark: string, ms = 15_000): Promise<boolean> {
  const docker = new Docker({ socketPath: dockerSocket(), host: undefined });
  for (let waited = 0; marked(await docker.listContainers({ filters }), mark) > 0; waited += 100) {
    if (waited >= ms) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await using provider = dockerProvider({ warm: 0 });
  const sandbox = await provider.open({
    limits: dockerLimits,
    needs: {},
    signal: new AbortController().signal,
  });
  await sandbox[Symbol.asyncDispose]();
  return (await countOwned(mark)) === 0;
}

/** Of new connections, `cut` takes none, `silent` answers nothing to, `error` 500, `slow` in its time. */
export type ProxyMode = 'pass' | 'cut' | 'silent' | 'error' | 'slow';

/** Stands before a daemon and misbehaves on request. */
export interface DaemonProxy extends AsyncDisposable {
  readonly host: string;
  mode: ProxyMode;
  /** Requests, such as `GET /v1.41/info HTTP/1.1`, that are never handed on, whatever the mode. */
  swallowed: RegExp | undefined;
  /** Breaks what is open. */
  readonly cutAll: () => void;
  /** Hands on nothing more over what is open. */
  readonly hushAll: () => void;
}

const slowMs = 300;

export async function openDaemonProxy(socketPath: string, daemon = dockerSocket()): Promise<DaemonProxy> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.on('error', () => undefined).on('close', () => open.delete(client));
    if (proxy.mode === 'cut') client.destroy();
    else if (proxy.mode === 'error')
      client.on('data', () =>
        client.end(
          'HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"message":"broken"}',
        ),
      );
    else if (proxy.mode === 'slow') setTimeout(() => join(client), slowMs);
    else if (proxy.mode === 'pass') join(client);
  });
  const join = (client: Socket): void => {
    const upstream = createConnection({ path: daemon, allowHalfOpen: true });
    open.add(upstream);
    upstream
      .on('error', () => client.destroy())
      .on('close', () => {
        open.delete(upstream);
        client.destroy();
      });
    client.on('close', () => upstream.destroy());
    const isSwallowed = (chunk: Buffer): boolean =>
      proxy.swallowed?.test(chunk.toString('latin1').split('\r\n', 1)[0] ?? '') === true;
    const handOn = new Transform({
      transform: (chunk: Buffer, _encoding, next) => (isSwallowed(chunk) ? undefined : next(null, chunk)),
    });
    client.pipe(handOn).pipe(upstream).pipe(client);
  };
  const proxy: DaemonProxy = {
    host: `unix://${socketPath}`,
    mode: 'pass',
    swallowed: undefined,
    cutAll: () => open.forEach((socket) => socket.destroy()),
    hushAll: () => open.forEach((socket) => socket.unpipe().resume()),
    [Symbol.asyncDispose]: async () => {
      proxy.cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return proxy;
}
