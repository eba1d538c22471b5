// Slow: each test starts containers and lets them run out of memory.
import { once } from 'node:events';
import Docker from 'dockerode';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../../sandbox/index.ts';
import { connect } from '../../../sandbox/docker/daemon.ts';
import { lackedMemory } from '../../../sandbox/docker/memory-lack.ts';
import { ownerLabel } from '../../../sandbox/docker/owner.ts';
import { dockerLimits, dockerProvider, dockerSocket } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { never } from '../suite/subject.ts';

const docker = new Docker({ socketPath: dockerSocket(), host: undefined });

/** Resets its own OOM score, waits until PID 1 has the highest, and fills the memory from two processes of similar size. */
const greedy = `import os, time
open("/proc/self/oom_score_adj", "w").write("0")
print("up", flush=True)
while open("/proc/1/oom_score_adj").read().strip() != "1000": time.sleep(0.01)
os.fork()
kept = []
while True: kept.append(bytearray(b"x" * 1000000))
`;

async function onlyContainer(): Promise<Docker.Container> {
  const all = await docker.listContainers({ filters: { label: [ownerLabel] } });
  const [own, ...more] = all.filter(({ Labels }) => Labels[ownerLabel]?.includes(` ${process.pid} `));
  if (own === undefined || more.length > 0)
    throw new Error(`there is not one container of this test but ${more.length + 1}`);
  return docker.getContainer(own.Id);
}

/** Makes the init of the container the first victim of the kernel. */
async function offerInit(container: Docker.Container): Promise<void> {
  const { User } = (await container.inspect()).Config;
  const exec = await container.exec({
    Cmd: ['sh', '-c', 'echo 1000 >/proc/1/oom_score_adj'],
    User,
    AttachStdout: true,
  });
  const stream = await exec.start({ hijack: true });
  await once(stream.resume(), 'end');
}

/** Uses a sandbox whose container is the only one, and passes that container on. */
async function inSandbox<T>(use: (sandbox: Sandbox, container: Docker.Container) => Promise<T>): Promise<T> {
  await using provider = dockerProvider({ warm: 0 });
  await using sandbox = await provider.open({ limits: dockerLimits, needs: {}, signal: never });
  return await use(sandbox, await onlyContainer());
}

await describeWithParts(['docker'], 'a container that the kernel kills for lack of memory', () => {
  it('ends its program by the limit on memory, without a fault', () =>
    inSandbox(async (sandbox, container) => {
      const onOutput = (): void => void offerInit(container);
      expect(await sandbox.exec(['python3', '-c', greedy], { signal: never, onOutput })).toMatchObject({
        kind: 'killed',
        by: 'memory',
        stdout: { text: 'up\n' },
      });
      await expect(sandbox.exec(['true'], { signal: never })).rejects.toThrow(
        /its containers have ended, and its files are gone with them/,
      );
    }));

  it('ends its conversation too', () =>
    inSandbox(async (sandbox, container) => {
      await using conversation = await sandbox.converse('python', { signal: never });
      const onOutput = (): void => void offerInit(container);
      expect(await conversation.say(greedy, { signal: never, onOutput })).toMatchObject({
        kind: 'killed',
        by: 'memory',
      });
      expect(conversation.live).toBe(false);
    }));

  it('differs from one that ended otherwise, even after its removal', async () => {
    const daemon = await connect(process.env['DOCKER_HOST'], 20_000);
    const starved = await inSandbox(async (sandbox, container) => {
      await sandbox.exec(['python3', '-c', greedy], {
        signal: never,
        onOutput: () => void offerInit(container),
      });
      return container.id;
    });
    const killed = await inSandbox(async (sandbox, container) => {
      const running = sandbox.exec(['sh', '-c', 'echo up; sleep 60'], {
        signal: never,
        onOutput: () => void container.kill(),
      });
      await expect(running).rejects.toThrow(/its container has ended$/);
      return container.id;
    });
    expect(await lackedMemory(daemon, starved)).toBe(true);
    expect(await lackedMemory(daemon, killed)).toBe(false);
  });
});
