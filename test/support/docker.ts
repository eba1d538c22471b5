import { existsSync } from 'node:fs';
import { createServer, createConnection, type Socket } from 'node:net';
import Docker from 'dockerode';
import { createDockerProvider, type DockerOptions, type Limits, type SandboxProvider } from '../../sandbox/index.ts';
import { usualSockets } from '../../sandbox/docker/daemon.ts';
import { ownerLabel } from '../../sandbox/docker/owner.ts';

/** The daemon that tests use: the one that `DOCKER_HOST` names, else the first of the usual ones. */
export function dockerSocket(): string {
  const named = (process.env['DOCKER_HOST'] ?? '').replace(/^unix:\/\//, '');
  return named === '' ? (usualSockets().find((socket) => existsSync(socket)) ?? '') : named;
}

export const dockerProvider = (options: Partial<DockerOptions> = {}): SandboxProvider => createDockerProvider({ host: process.env['DOCKER_HOST'], now: () => performance.now(), ...options });

export const dockerLimits: Limits = { wallMs: 10_000, cpuMs: 10_000, memoryBytes: 128 * 2 ** 20, pids: 32, diskBytes: 8 * 2 ** 20, outputBytes: 10_000 };

const marked = (all: readonly { readonly Labels?: Readonly<Record<string, string>> | null }[], mark: string): number => all.filter(({ Labels }) => Labels?.[ownerLabel]?.includes(mark) === true).length;
const filters = { label: [ownerLabel] };

/** Containers and volumes whose owner's label has `mark` in it. */
export async function countOwned(mark: string): Promise<number> {
  const docker = new Docker({ socketPath: dockerSocket(), host: undefined });
  const { Volumes } = await docker.listVolumes({ filters });
  return marked(await docker.listContainers({ all: true, filters }), mark) + marked(Volumes ?? [], mark);
}

/**
 * Waits until no container of `mark` runs any more, without anybody's help, and then whether the next provider that opens a sandbox takes
 * away their volumes and what was made but never started; false when something stays for `ms`.
 */
export async function comesToNothing(mark: string, ms = 15_000): Promise<boolean> {
  const docker = new Docker({ socketPath: dockerSocket(), host: undefined });
  for (let waited = 0; marked(await docker.listContainers({ filters }), mark) > 0; waited += 100) {
    if (waited >= ms) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await using provider = dockerProvider({ warm: 0 });
  const sandbox = await provider.open({ limits: dockerLimits, needs: {}, signal: new AbortController().signal });
  await sandbox[Symbol.asyncDispose]();
  return (await countOwned(mark)) === 0;
}

/** `cut` breaks what is open and takes nothing more; `silent` takes all and answers nothing; `error` answers 500; `slow` takes its time. */
export type ProxyMode = 'pass' | 'cut' | 'silent' | 'error' | 'slow';

/** Stands before a daemon and misbehaves when told to. */
export interface DaemonProxy extends AsyncDisposable {
  readonly host: string;
  mode: ProxyMode;
  readonly cutAll: () => void;
}

const slowMs = 300;

export async function openDaemonProxy(socketPath: string, daemon = dockerSocket()): Promise<DaemonProxy> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.on('error', () => undefined).on('close', () => open.delete(client));
    if (proxy.mode === 'cut') client.destroy();
    else if (proxy.mode === 'error') client.on('data', () => client.end('HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: 20\r\nConnection: close\r\n\r\n{"message":"broken"}'));
    else if (proxy.mode === 'slow') setTimeout(() => join(client), slowMs);
    else if (proxy.mode === 'pass') join(client);
  });
  const join = (client: Socket): void => {
    const upstream = createConnection({ path: daemon, allowHalfOpen: true });
    open.add(upstream);
    upstream.on('error', () => client.destroy()).on('close', () => {
      open.delete(upstream);
      client.destroy();
    });
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  };
  const proxy = {
    host: `unix://${socketPath}`,
    mode: 'pass' as ProxyMode,
    cutAll: () => open.forEach((socket) => socket.destroy()),
    [Symbol.asyncDispose]: async () => {
      proxy.cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return proxy;
}
