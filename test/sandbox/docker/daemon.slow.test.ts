// Slow: starts and kills a Docker daemon.
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dockerLimits, dockerProvider } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { marked } from '../../../bench/sandbox/attacks/arena.ts';
import { beginDaemon, type OwnDaemon } from '../../../bench/sandbox/attacks/own-daemon.ts';
import { never } from '../suite/subject.ts';
import { sleep } from '../../../envs/core/waiting.ts';

// The attack "the supervisor killed under load" checks that calls become faults, programs die and new sandboxes open.

await describeWithParts(['docker', 'docker-daemon'], 'the Docker daemon killed under load', () => {
  let daemon: OwnDaemon;
  beforeAll(async () => void (daemon = await beginDaemon(process.env['DOCKER_HOST'])));
  afterAll(async () => {
    await daemon?.[Symbol.asyncDispose]();
    expect(marked(daemon?.folder)).toEqual([]); // keepers of containers, which outlive a daemon that is killed
  });

  it('leaves no volume once another provider has opened a sandbox', async () => {
    const docker = new Docker({ socketPath: daemon.socket, host: undefined });
    const provider = dockerProvider({ host: daemon.host, warm: 4 });
    const opening = Array.from({ length: 8 }, () =>
      provider.open({ limits: dockerLimits, needs: {}, signal: never }).catch((thrown: unknown) => thrown),
    );
    for (
      let waited = 0;
      waited < 1_800 && ((await docker.listVolumes()).Volumes ?? []).length < 4;
      waited += 1
    )
      await sleep(20);
    await daemon.end('SIGKILL');
    await Promise.all(opening);
    await provider[Symbol.asyncDispose]();
    await daemon.start();
    expect((await docker.listVolumes()).Volumes).not.toEqual([]);
    await using next = dockerProvider({ host: daemon.host, warm: 0 });
    await (await next.open({ limits: dockerLimits, needs: {}, signal: never }))[Symbol.asyncDispose]();
    expect((await docker.listVolumes()).Volumes).toEqual([]);
  });

  it('ends its containers even when nobody restarts it', async () => {
    const provider = dockerProvider({ host: daemon.host, silenceMs: 2_000, warm: 0 });
    const sandbox = await provider.open({ limits: dockerLimits, needs: {}, signal: never });
    const mark = `cairn-orphan-${process.pid}`;
    const running = expect(
      sandbox.exec(['sh', '-c', 'sleep 600; :', mark], { signal: never }),
    ).rejects.toMatchObject({ fault: { kind: 'sandbox-failed' } });
    for (let waited = 0; waited < 1_800 && marked(mark).length === 0; waited += 1) await sleep(100);
    expect(marked(mark)).not.toEqual([]);
    await sleep(5_000); // the daemon is heard from meanwhile, so the container lives
    expect(marked(mark)).not.toEqual([]);
    await daemon.end('SIGKILL');
    await running;
    for (let waited = 0; waited < 1_800 && marked(mark).length > 0; waited += 1) await sleep(100);
    expect(marked(mark)).toEqual([]);
    await provider[Symbol.asyncDispose]();
    await daemon.start();
  });
});
