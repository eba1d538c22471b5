// Slow: each test starts containers with a kernel of their own.
import { expect, it } from 'vitest';
import { dockerLimits, dockerProvider } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { never } from '../suite/subject.ts';

await describeWithParts(['docker', 'gvisor'], 'containers with their own kernel', () => {
  const open = async (
    run: (sandbox: Awaited<ReturnType<ReturnType<typeof dockerProvider>['open']>>) => Promise<void>,
    limits = dockerLimits,
  ): Promise<void> => {
    await using provider = dockerProvider({ runtime: 'runsc', warm: 0 });
    await using sandbox = await provider.open({ limits, needs: { kernel: 'separate' }, signal: never });
    await run(sandbox);
  };

  it('run another kernel than this machine, and keep the state of a conversation', () =>
    open(async (sandbox) => {
      expect(await sandbox.exec(['uname', '-r'], { signal: never })).toMatchObject({
        kind: 'exited',
        stdout: { text: expect.stringContaining('gvisor') as string },
      });
      await using conversation = await sandbox.converse('python', { signal: never });
      await conversation.say('x = 41', { signal: never });
      expect(await conversation.say('print(x + 1)', { signal: never })).toMatchObject({
        stdout: { text: '42\n' },
      });
    }));

  it.each([
    ['wall', 'sleep 60'],
    ['cpu', 'while :; do :; done'],
    ['pids', 'while :; do sleep 60 & done'],
    ['disk', 'head -c 60000000 /dev/zero >big'],
    ['output', 'yes'],
  ] as const)('enforce the limit %s', (by, script) =>
    open(async (sandbox) => {
      expect(
        await sandbox.exec(['sh', '-c', script], { signal: never, limits: { wallMs: 3_000, cpuMs: 1_000 } }),
      ).toMatchObject({ kind: 'killed', by });
      expect(await sandbox.exec(['echo', 'lives'], { signal: never })).toMatchObject({
        kind: 'exited',
        stdout: { text: 'lives\n' },
      });
    }),
  );

  it('end with a program that takes more memory than allowed', () =>
    open(async (sandbox) => {
      const taken = await sandbox.exec(['python3', '-c', 'x = bytearray(1_000_000_000)'], { signal: never });
      expect(taken).not.toMatchObject({ kind: 'exited', code: 0 });
      await expect(sandbox.exec(['true'], { signal: never })).rejects.toMatchObject({
        fault: { kind: 'sandbox-failed' },
      });
    }));

  it('run a program under the least memory allowed', () =>
    open(
      async (sandbox) => {
        expect(await sandbox.exec(['echo', 'fits'], { signal: never })).toMatchObject({
          kind: 'exited',
          stdout: { text: 'fits\n' },
        });
      },
      { ...dockerLimits, memoryBytes: 2 ** 24, pids: 8 },
    ));
});
