import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** What attackers look for on this machine, set up so that reaching it shows. */
export interface Arena extends AsyncDisposable {
  /** Listeners that were reached, by name. */
  readonly heard: ReadonlySet<string>;
  readonly addresses: readonly string[];
  readonly tcpPort: number;
  readonly udpPort: number;
  readonly socketPath: string;
  /** Without the NUL that begins it. */
  readonly abstractName: string;
  /** A folder of this machine with the file `secret`. */
  readonly folder: string;
  readonly secret: string;
  /** Stands in this process's environment. */
  readonly canary: string;
  /** A process of ours that must live on. */
  readonly victim: number;
  readonly victimLives: () => boolean;
  /** Files and folders that nobody inside may see, with what is in them. */
  readonly digests: Readonly<Record<string, string>>;
  /** Forgets which listeners were reached. */
  readonly forget: () => void;
}

const repository = fileURLToPath(new URL('../../../', import.meta.url));

export async function openArena(): Promise<Arena> {
  const heard = new Set<string>();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-arena-'));
  const canary = `canary-${randomBytes(12).toString('hex')}`;
  const secret = `secret-${randomBytes(12).toString('hex')}`;
  writeFileSync(path.join(folder, 'secret'), secret, { mode: 0o666 });
  process.env['CAIRN_ARENA_CANARY'] = canary;
  const abstractName = `cairn-${randomBytes(8).toString('hex')}`;
  const socketPath = path.join(folder, 'socket');
  const tcp = await listen('tcp', heard, (server) => server.listen(0, '0.0.0.0'));
  const named = await listen('unix socket', heard, (server) => server.listen(socketPath));
  const abstract = await listen('abstract socket', heard, (server) => server.listen(`\0${abstractName}`));
  const udp = createSocket('udp4', () => void heard.add('udp'));
  udp.bind(0, '0.0.0.0');
  await once(udp, 'listening');
  const victim = spawn('sleep', ['100000'], { stdio: 'ignore' });
  const address = tcp.address();
  return {
    heard,
    addresses: ['127.0.0.1', ...outerAddresses()],
    tcpPort: typeof address === 'object' && address !== null ? address.port : 0,
    udpPort: udp.address().port,
    socketPath,
    abstractName,
    folder,
    secret,
    canary,
    victim: victim.pid ?? 0,
    victimLives: () => victim.exitCode === null && victim.signalCode === null,
    digests: digestsOf([
      '/etc/shadow',
      '/root',
      os.homedir(),
      repository,
      path.join(repository, 'package.json'),
      folder,
      path.join(folder, 'secret'),
    ]),
    forget: () => heard.clear(),
    [Symbol.asyncDispose]: async () => {
      delete process.env['CAIRN_ARENA_CANARY'];
      victim.kill('SIGKILL');
      udp.close();
      await Promise.all(
        [tcp, named, abstract].map((server) => new Promise((resolve) => server.close(resolve))),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listen(name: string, heard: Set<string>, start: (server: Server) => void): Promise<Server> {
  const server = createServer((socket) => {
    heard.add(name);
    socket.on('error', () => undefined).destroy();
  });
  start(server);
  await once(server, 'listening');
  return server;
}

const outerAddresses = (): readonly string[] =>
  Object.values(os.networkInterfaces()).flatMap((all) =>
    (all ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map(({ address }) => address),
  );

/** Of a file its bytes, of a folder its names; a place that holds nothing proves nothing. */
function digestsOf(places: readonly string[]): Readonly<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const place of new Set(places)) {
    if (!existsSync(place)) continue;
    try {
      const content = readFileOrNames(place);
      if (content.length > 0)
        digests[place.replace(/(.)\/$/, '$1')] = createHash('sha256').update(content).digest('hex');
    } catch {
      // this process may not read it either
    }
  }
  return digests;
}

function readFileOrNames(place: string): string | Buffer {
  try {
    return readdirSync(place).toSorted().join('\n');
  } catch {
    return readFileSync(place);
  }
}

/**
 * Finds processes of this machine whose command line contains `mark`, as far as this user can see in `/proc`.
 */
export function marked(mark: string): readonly number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
}
