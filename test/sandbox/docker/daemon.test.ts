import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dockerLimits, dockerProvider, dockerSocket } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { marked, openArena } from '../../../bench/sandbox/attacks/arena.ts';
import { attacks, attempt } from '../../../bench/sandbox/attacks/attacks.ts';
import { never, pause } from '../suite/subject.ts';

/** A daemon of this test's own, which it may kill. */
class OwnDaemon implements AsyncDisposable {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-dockerd-'));
  readonly socket = path.join(this.folder, 'docker.sock');
  #daemon: ChildProcess | undefined;

  async start(): Promise<void> {
    for (const left of ['pid', 'exec/containerd/containerd.pid']) rmSync(path.join(this.folder, left), { force: true }); // of one that was killed
    mkdirSync(path.join(this.folder, 'data'), { recursive: true });
    const words = ['--data-root', 'data', '--exec-root', 'exec', '--pidfile', 'pid'].map((word) => (word.startsWith('--') ? word : path.join(this.folder, word)));
    const log = openSync(path.join(this.folder, 'log'), 'a');
    const network = ['--iptables=false', '--ip6tables=false', '--ip-masq=false', '--bridge=none'];
    this.#daemon = spawn('dockerd', [...words, ...network, '--host', `unix://${this.socket}`, '--log-level=warn'], { stdio: ['ignore', log, log] });
    closeSync(log);
    const docker = new Docker({ socketPath: this.socket, host: undefined });
    for (let waited = 0; waited < 300; waited += 1) {
      if (await docker.ping().then(() => true, () => false)) return;
      if (this.#daemon.exitCode !== null) break;
      await pause(100);
    }
    throw new Error(`the daemon did not start: ${readFileSync(path.join(this.folder, 'log'), 'utf8')}`);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#daemon === undefined || this.#daemon.exitCode !== null || this.#daemon.signalCode !== null) return;
    const exit = once(this.#daemon, 'exit');
    this.#daemon.kill(signal);
    await exit;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end('SIGTERM');
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n').flatMap((line) => line.split(' ')[1] ?? []);
    for (const mount of mounts.filter((place) => place.startsWith(this.folder)).toReversed()) spawnSync('umount', ['--lazy', mount]); // of those that were killed
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

await describeWithParts(['docker', 'docker-daemon'], 'the Docker daemon killed under load', () => {
  let daemon: OwnDaemon;
  beforeAll(async () => {
    daemon = new OwnDaemon();
    await daemon.start();
    const image = await new Docker({ socketPath: dockerSocket(), host: undefined }).getImage('cairn-sandbox').get();
    const loading = await new Docker({ socketPath: daemon.socket, host: undefined }).loadImage(image);
    await once(loading.resume(), 'end');
  }, 120_000);
  afterAll(() => daemon?.[Symbol.asyncDispose](), 60_000);

  it('takes all programs along, calls become faults, and new sandboxes open when it is back', async () => {
    const killSupervisor = async (): Promise<void> => {
      await daemon.end('SIGKILL');
      await pause(1_000); // nobody mends it at once: what ran must not live on meanwhile
      await daemon.start();
    };
    const subject = { title: 'docker', provider: () => Promise.resolve(dockerProvider({ host: `unix://${daemon.socket}` })), killSupervisor };
    await using provider = await subject.provider();
    await using arena = await openArena();
    const attack = attacks.find(({ name }) => name === 'the supervisor killed under load');
    if (attack === undefined) throw new Error('the suite has no such attack any more');
    const { verdict } = await attempt(attack, { subject, provider, arena });
    expect(verdict).toMatchObject({ kind: 'held' });
  }, 120_000);

  it('leaves no volume of those that it was killed under, once another provider has opened a sandbox', async () => {
    const docker = new Docker({ socketPath: daemon.socket, host: undefined });
    const provider = dockerProvider({ host: `unix://${daemon.socket}`, warm: 4 });
    const opening = Array.from({ length: 8 }, () => provider.open({ limits: dockerLimits, needs: {}, signal: never }).catch((thrown: unknown) => thrown));
    for (let waited = 0; waited < 200 && ((await docker.listVolumes()).Volumes ?? []).length < 4; waited += 1) await pause(20);
    await daemon.end('SIGKILL');
    await Promise.all(opening);
    await provider[Symbol.asyncDispose]();
    await daemon.start();
    expect((await docker.listVolumes()).Volumes).not.toEqual([]);
    await using next = dockerProvider({ host: `unix://${daemon.socket}`, warm: 0 });
    await (await next.open({ limits: dockerLimits, needs: {}, signal: never }))[Symbol.asyncDispose]();
    expect((await docker.listVolumes()).Volumes).toEqual([]);
  }, 120_000);

  it('ends containers also when nobody brings it back', async () => {
    const provider = dockerProvider({ host: `unix://${daemon.socket}`, silenceMs: 2_000, warm: 0 });
    const sandbox = await provider.open({ limits: dockerLimits, needs: {}, signal: never });
    const mark = `cairn-orphan-${process.pid}`;
    const running = expect(sandbox.exec(['sh', '-c', 'sleep 600; :', mark], { signal: never })).rejects.toMatchObject({ fault: { kind: 'sandbox-failed' } });
    for (let waited = 0; waited < 100 && marked(mark).length === 0; waited += 1) await pause(100);
    expect(marked(mark)).not.toEqual([]);
    await pause(5_000); // it is heard of meanwhile, and lives
    expect(marked(mark)).not.toEqual([]);
    await daemon.end('SIGKILL');
    await running;
    for (let waited = 0; waited < 100 && marked(mark).length > 0; waited += 1) await pause(100);
    expect(marked(mark)).toEqual([]);
    await provider[Symbol.asyncDispose]();
    await daemon.start();
  }, 120_000);
});
