import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Docker from 'dockerode';
import { usualSockets } from '../../../sandbox/docker/daemon.ts';
import { marked } from './arena.ts';
import { sleep } from '../../../envs/core/waiting.ts';

/** A Docker daemon of its caller's own, who may kill it. */
export class OwnDaemon implements AsyncDisposable {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-dockerd-'));
  readonly socket = path.join(this.folder, 'docker.sock');
  readonly host = `unix://${this.socket}`;
  #daemon: ChildProcess | undefined;

  async start(): Promise<void> {
    for (const left of ['pid', 'exec/containerd/containerd.pid'])
      rmSync(path.join(this.folder, left), { force: true }); // of one that was killed
    mkdirSync(path.join(this.folder, 'data'), { recursive: true });
    const words = ['--data-root', 'data', '--exec-root', 'exec', '--pidfile', 'pid'].map((word) =>
      word.startsWith('--') ? word : path.join(this.folder, word),
    );
    const log = openSync(path.join(this.folder, 'log'), 'a');
    const network = ['--iptables=false', '--ip6tables=false', '--ip-masq=false', '--bridge=none'];
    this.#daemon = spawn('dockerd', [...words, ...network, '--host', this.host, '--log-level=warn'], {
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    const docker = new Docker({ socketPath: this.socket, host: undefined });
    for (let waited = 0; waited < 300; waited += 1) {
      if (
        await docker.ping().then(
          () => true,
          () => false,
        )
      )
        return;
      if (this.#daemon.exitCode !== null) break;
      await sleep(100);
    }
    throw new Error(`the daemon did not start: ${readFileSync(path.join(this.folder, 'log'), 'utf8')}`);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#daemon === undefined || this.#daemon.exitCode !== null || this.#daemon.signalCode !== null)
      return;
    const exit = once(this.#daemon, 'exit');
    this.#daemon.kill(signal);
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGTERM');
    for (let left = marked(this.folder); left.length > 0; left = marked(this.folder)) {
      // a daemon that was killed leaves its containers' keepers, which no later one takes up
      for (const pid of left) killSafely(pid);
      await sleep(20);
    }
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .flatMap((line) => line.split(' ')[1] ?? []);
    for (const mount of mounts.filter((place) => place.startsWith(this.folder)).toReversed())
      spawnSync('umount', ['--lazy', mount]); // of those that were killed
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

function killSafely(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}

/** Begins one with the sandboxes' image, which it has from the machine's daemon: the one that the host names, else the first of the usual ones. */
export async function beginDaemon(host: string | undefined): Promise<OwnDaemon> {
  const socketPath =
    (host ?? '') === ''
      ? usualSockets().find((socket) => existsSync(socket))
      : host?.replace(/^unix:\/\//, '');
  const daemon = new OwnDaemon();
  try {
    await daemon.start();
    const image = await new Docker({ socketPath, host: undefined }).getImage('cairn-sandbox').get();
    const loading = await new Docker({ socketPath: daemon.socket, host: undefined }).loadImage(image);
    await once(loading.resume(), 'end');
    return daemon;
  } catch (thrown) {
    await daemon[Symbol.asyncDispose]();
    throw thrown;
  }
}
