// Slow: each test starts containers and waits for deadlines in real time.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readResources } from '../../../bench/soak/resources.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { sleep } from '../../../envs/core/waiting.ts';
import { createDockerProvider, type Sandbox, type SandboxProvider } from '../../../sandbox/index.ts';
import { disown, own, ownerLabel } from '../../../sandbox/docker/owner.ts';
import {
  comesToNothing,
  countOwned,
  dockerLimits,
  dockerProvider,
  dockerSocket,
  openDaemonProxy,
  type DaemonProxy,
} from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { never } from '../suite/subject.ts';
import Docker from 'dockerode';

const sandboxFailed = { fault: { kind: 'sandbox-failed' } };

let folder = '';
beforeAll(() => void (folder = mkdtempSync(path.join(os.tmpdir(), 'cairn-docker-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const openIn = (provider: SandboxProvider): Promise<Sandbox> =>
  provider.open({ limits: dockerLimits, needs: {}, signal: never });
const ours = (): string => ` ${process.pid} `;

/** The most time that a daemon takes for an answer, even on a busy machine. */
const patienceMs = 30_000;

describe('an unusable Docker daemon', () => {
  const why = async (host: string): Promise<string | undefined> => {
    await using provider = createDockerProvider({ host, answerMs: 500, now: () => performance.now() });
    return await provider.unavailable(never);
  };

  it('gives a reason with the fix', async () => {
    expect(await why(`unix://${folder}/missing`)).toMatch(
      /missing is not there\. Start one, or name its socket in DOCKER_HOST; `npm run provision`/,
    );
    writeFileSync(path.join(folder, 'file'), '');
    expect(await why(`unix://${folder}/file`)).toMatch(/file exists, but no daemon listens on it/);
    await expect(why('tcp://1.2.3.4:2375')).rejects.toThrow(UsageError);
    await expect(why('tcp://1.2.3.4:2375')).rejects.toThrow(
      /To reach a remote daemon, forward it to a socket/,
    );
  });

  it('times out, and the wait for it can be aborted', async () => {
    const place = path.join(folder, 'silent');
    const server = createServer((socket) => socket.on('error', () => undefined)).listen(place);
    await once(server, 'listening');
    expect(await why(`unix://${place}`)).toMatch(/no answer within 0.5 s/);
    await using provider = createDockerProvider({
      host: `unix://${place}`,
      answerMs: patienceMs,
      now: () => performance.now(),
    });
    await expect(provider.unavailable(AbortSignal.timeout(100))).rejects.toThrow(/timeout/);
    server.close();
  });
});

await describeWithParts(['docker'], 'Docker containers when things go wrong', () => {
  let proxy: DaemonProxy;
  beforeAll(async () => void (proxy = await openDaemonProxy(path.join(folder, 'proxy'))));
  afterAll(() => proxy?.[Symbol.asyncDispose]());
  beforeEach(() => {
    proxy.mode = 'pass';
    proxy.swallowed = undefined;
  });
  const throughProxy = (): SandboxProvider =>
    dockerProvider({ host: proxy.host, warm: 0, answerMs: patienceMs });

  it('name a missing image and a missing runtime', async () => {
    await using imageless = dockerProvider({ image: 'cairn-no-such-image' });
    expect(await imageless.unavailable(never)).toMatch(/has no image cairn-no-such-image: `docker pull/);
    await expect(openIn(imageless)).rejects.toMatchObject(sandboxFailed);
    await using strange = dockerProvider({ runtime: 'no-such-runtime' });
    expect(await strange.unavailable(never)).toMatch(/knows no runtime no-such-runtime, only .*runc/);
  });

  it('fault while the daemon answers nonsense, and go on afterwards', async () => {
    await using provider = throughProxy();
    await using sandbox = await openIn(provider);
    proxy.mode = 'error';
    await expect(sandbox.exec(['true'], { signal: never })).rejects.toMatchObject(sandboxFailed);
    await expect(sandbox.read('x', { signal: never, maxBytes: 1 })).rejects.toMatchObject(sandboxFailed);
    await expect(openIn(provider)).rejects.toMatchObject({
      fault: { kind: 'sandbox-failed', stage: 'open', retryable: true },
    });
    proxy.mode = 'pass';
    await using second = await openIn(provider);
    expect(await second.exec(['echo', 'on'], { signal: never })).toMatchObject({ stdout: { text: 'on\n' } });
  });

  it('wait for a slow daemon', async () => {
    await using provider = throughProxy();
    proxy.mode = 'slow';
    await using sandbox = await openIn(provider);
    expect(await sandbox.exec(['echo', 'slow'], { signal: never })).toMatchObject({
      stdout: { text: 'slow\n' },
    });
    proxy.mode = 'pass';
  });

  it('fault when the daemon falls silent, and never hang', async () => {
    const provider = throughProxy();
    const [first, second] = [await openIn(provider), await openIn(provider)];
    proxy.mode = 'silent';
    const refused = expect(first.exec(['true'], { signal: never })).rejects.toThrow(
      /no answer within 30 s|the daemon does not answer/,
    );
    const controller = new AbortController();
    const waiting = expect(second.exec(['true'], { signal: controller.signal })).rejects.toThrow('enough');
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await Promise.all([refused, waiting]);
    await provider[Symbol.asyncDispose]();
    proxy.mode = 'pass';
    expect(await comesToNothing(ours())).toBe(true);
  });

  it('detect a silent daemon once, not for each request, and go on when it is back', async () => {
    await using provider = throughProxy();
    await using sandbox = await openIn(provider);
    proxy.mode = 'silent';
    proxy.hushAll();
    await expect(sandbox.exec(['true'], { signal: never })).rejects.toThrow(
      /its container did not answer within 10 s/,
    );
    await expect(sandbox.exec(['true'], { signal: never })).rejects.toThrow(/its containers have ended/);
    await expect(openIn(provider)).rejects.toThrow(/could not make a container: no answer within 5 s/); // fails by a short probe, not by the request itself
    proxy.mode = 'pass';
    let back: Sandbox | undefined;
    for (let waited = 0; waited < 600 && back === undefined; waited += 1) {
      back = await openIn(provider).catch(() => undefined);
      if (back === undefined) await sleep(100);
    }
    expect(await back?.exec(['echo', 'back'], { signal: never })).toMatchObject({
      stdout: { text: 'back\n' },
    });
    await back?.[Symbol.asyncDispose]();
  });

  it.each([
    [/^GET \S*\/exec\//, /whether its program ran until its limit on time cannot be told/],
    [/^POST \S*\/exec\/[^/]*\/start/, /could not start a program: no answer within 30 s/],
  ])('report no timeout of the program when %s is not answered', async (swallowed, told) => {
    await using provider = throughProxy();
    await using sandbox = await openIn(provider);
    proxy.swallowed = swallowed;
    await expect(sandbox.exec(['true'], { signal: never, limits: { wallMs: 500 } })).rejects.toThrow(told);
    proxy.swallowed = undefined;
    expect(await sandbox.exec(['echo', 'on'], { signal: never })).toMatchObject({ stdout: { text: 'on\n' } });
    expect(await sandbox.exec(['sleep', '60'], { signal: never, limits: { wallMs: 500 } })).toMatchObject({
      kind: 'killed',
      by: 'wall',
    });
  });

  it('fault when the daemon is lost, and open again when it is back', async () => {
    const provider = throughProxy();
    const sandbox = await openIn(provider);
    const heard = new Promise<void>((resolve) => {
      const running = sandbox.exec(['sh', '-c', 'echo ready; sleep 60'], {
        signal: never,
        onOutput: () => resolve(),
      });
      lost = running.then(
        () => 'returned',
        (thrown: unknown) => thrown,
      );
    });
    await heard;
    proxy.mode = 'cut';
    proxy.cutAll();
    expect(await lost).toMatchObject(sandboxFailed);
    await expect(sandbox.exec(['true'], { signal: never })).rejects.toMatchObject(sandboxFailed);
    await expect(openIn(provider)).rejects.toMatchObject(sandboxFailed);
    proxy.mode = 'pass';
    await using second = await openIn(provider);
    expect(await second.exec(['echo', 'back'], { signal: never })).toMatchObject({
      stdout: { text: 'back\n' },
    });
    await second[Symbol.asyncDispose]();
    await provider[Symbol.asyncDispose]();
    expect(await comesToNothing(ours())).toBe(true);
  });
  let lost: Promise<unknown>;

  it('raise no unhandled rejection while the daemon fails to make them ready', async () => {
    const unheard: unknown[] = [];
    const hear = (thrown: unknown): void => void unheard.push(thrown);
    process.on('unhandledRejection', hear);
    try {
      for (const mode of ['cut', 'error', 'silent'] as const) {
        const provider = dockerProvider({ host: proxy.host, warm: 4, answerMs: patienceMs });
        const first = await openIn(provider);
        const others = Array.from({ length: 4 }, () =>
          openIn(provider).then(
            (sandbox) => sandbox[Symbol.asyncDispose](),
            () => undefined,
          ),
        );
        await sleep(150); // some are made by now, some are not
        proxy.mode = mode;
        if (mode === 'cut') proxy.cutAll();
        await Promise.all([first.exec(['true'], { signal: never }).catch(() => undefined), ...others]);
        await provider[Symbol.asyncDispose]();
        proxy.mode = 'pass';
      }
      const broken = (): number => {
        throw new Error('no clock');
      };
      const before = await countOwned(ours());
      await using provider = dockerProvider({ now: broken, warm: 2 });
      for (let round = 0; round < 2; round += 1) await expect(openIn(provider)).rejects.toThrow('no clock');
      expect(await countOwned(ours())).toBeLessThanOrEqual(before); // what the daemon kept before may have ended meanwhile
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', hear);
    }
    expect(await comesToNothing(ours())).toBe(true);
  });

  it('wait unused in the pool, and leave none behind', async () => {
    const provider = dockerProvider({ warm: 2, most: 2 });
    const first = await openIn(provider);
    await first.exec(['sh', '-c', 'echo x >trace; echo x >/tmp/trace'], { signal: never });
    for (let waited = 0; waited < 600 && (await countOwned(ours())) < 6; waited += 1) await sleep(100); // three containers, three volumes
    expect(await countOwned(ours())).toBe(6);
    const second = await openIn(provider);
    expect(await second.exec(['sh', '-c', 'ls /work /tmp /dev/shm'], { signal: never })).toMatchObject({
      stdout: { text: '/dev/shm:\n\n/tmp:\n\n/work:\n' },
    });
    await expect(
      provider.open({ limits: dockerLimits, needs: {}, signal: AbortSignal.timeout(300) }),
    ).rejects.toThrow(/timeout/);
    const third = openIn(provider);
    await first[Symbol.asyncDispose]();
    expect(await (await third).exec(['ls', '/work'], { signal: never })).toMatchObject({
      stdout: { text: '' },
    });
    await provider[Symbol.asyncDispose]();
    expect(await countOwned(ours())).toBe(0);
  });

  it('close their connections with the provider', async () => {
    const connections = (): number => readResources().fileDescriptors;
    const before = connections();
    const provider = dockerProvider({ warm: 1 });
    expect(await provider.unavailable(never)).toBeUndefined();
    await using sandbox = await openIn(provider);
    await sandbox.exec(['true'], { signal: never });
    expect(connections()).toBeGreaterThan(before);
    await provider[Symbol.asyncDispose]();
    await sleep(100);
    expect(connections()).toBeLessThanOrEqual(before); // idle ones of other tests end by themselves
  });

  it('end by themselves after their lifetime', async () => {
    await using provider = dockerProvider({ warm: 0, lifetimeMs: 3_000 });
    await using sandbox = await openIn(provider);
    await expect(sandbox.exec(['sleep', '60'], { signal: never })).rejects.toThrow(/its container has ended/);
    expect(await comesToNothing(ours())).toBe(true);
  });

  it.each(['SIGKILL', 'SIGINT'] as const)('leave nothing when their process gets %s', async (signal) => {
    const holder = fileURLToPath(new URL('../../support/docker-holder.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'jiti/register', holder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const mark = ` ${child.pid} `;
    expect(await countOwned(mark)).toBeGreaterThan(0);
    child.kill(signal);
    await once(child, 'exit');
    expect(await comesToNothing(mark)).toBe(true);
  });

  it('sweep their own volumes that nobody holds, even without a label, and no others', async () => {
    const docker = new Docker({ socketPath: dockerSocket(), host: undefined });
    const [left, held] = ['a', 'b'].map(
      (letter) => `cairn-gym-${letter.repeat(16)}${String(process.pid).padStart(8, '0')}`,
    ) as [string, string];
    const foreign = ['cairn-gym-data', `cairn-gym-${process.pid}`, `x-${left}`, `${left}0`];
    for (const Name of [left, held, ...foreign]) await docker.createVolume({ Name });
    const holder = await docker.createContainer({
      Image: 'cairn-sandbox',
      Cmd: ['true'],
      HostConfig: { Mounts: [{ Type: 'volume', Source: held, Target: '/data' }] },
    });
    try {
      await using other = dockerProvider({ warm: 0 });
      await using lives = await openIn(other);
      await lives.write('kept', 'kept', { signal: never });
      await using provider = dockerProvider({ warm: 0 });
      await using sandbox = await openIn(provider);
      const names = new Set((await docker.listVolumes()).Volumes?.map(({ Name }) => Name));
      expect([left, held, ...foreign].filter((name) => !names.has(name))).toEqual([left]);
      expect(await sandbox.exec(['true'], { signal: never })).toMatchObject({ kind: 'exited', code: 0 });
      expect(await lives.read('kept', { signal: never, maxBytes: 9 })).toHaveLength(4);
    } finally {
      await holder.remove({ force: true });
      for (const name of [left, held, ...foreign])
        await docker
          .getVolume(name)
          .remove()
          .catch(() => undefined); // the first is gone
    }
  });

  it('sweep what dead processes and closed providers left, and nothing of living ones', async () => {
    const docker = new Docker({ socketPath: dockerSocket(), host: undefined });
    await using other = dockerProvider({ warm: 0 });
    await using sandbox = await openIn(other);
    const [open, closed] = [own(), own()];
    disown(closed);
    const elsewhere = `boot-${process.pid}/pid:[1] 1 1 x`;
    const mine = [open.replace(/ \d+ \d+ /, ' 4194304 1 '), closed, open, elsewhere];
    for (const label of mine)
      await docker.createContainer({
        Image: 'cairn-sandbox',
        Cmd: ['true'],
        Labels: { [ownerLabel]: label },
      });
    try {
      await using provider = dockerProvider({ warm: 0 });
      await using fresh = await openIn(provider);
      expect(await Promise.all(mine.map((mark) => countOwned(mark)))).toEqual([0, 0, 1, 1]);
      for (const lives of [sandbox, fresh])
        expect(await lives.exec(['echo', 'lives'], { signal: never })).toMatchObject({
          stdout: { text: 'lives\n' },
        });
    } finally {
      disown(open);
      for (const label of [elsewhere, open])
        for (const { Id } of await docker.listContainers({
          all: true,
          filters: { label: [`${ownerLabel}=${label}`] },
        }))
          await docker.getContainer(Id).remove({ force: true });
    }
  });
});
