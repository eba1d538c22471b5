// Slow: each test starts containers and lets a program exhaust its limits.
import { expect, it } from 'vitest';
import { countOwned, dockerLimits, dockerProvider, dockerSocket } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { describeAttacks } from '../suite/describe-attacks.ts';
import { dockerSubject } from '../../../bench/sandbox/attacks/subjects.ts';
import { marked } from '../../../bench/sandbox/attacks/arena.ts';
import { never, readText } from '../suite/subject.ts';
import { sleep } from '../../../envs/core/waiting.ts';

const open = async (
  run: (sandbox: Awaited<ReturnType<ReturnType<typeof dockerProvider>['open']>>) => Promise<void>,
): Promise<void> => {
  await using provider = dockerProvider({ warm: 0 });
  await using sandbox = await provider.open({ limits: dockerLimits, needs: {}, signal: never });
  await run(sandbox);
};

await describeWithParts(['docker'], 'Docker containers under attack', () => {
  describeAttacks(dockerSubject);

  it('hide the daemon: neither its socket nor another container can be seen', () =>
    open(async (sandbox) => {
      const look = `for place in ${dockerSocket()} /proc/*/root${dockerSocket()} /var/run/docker.sock; do [ -e "$place" ] && echo "$place"; done; cat /proc/net/unix | tail -n +2`;
      expect(await sandbox.exec(['sh', '-c', look], { signal: never })).toMatchObject({
        stdout: { text: '' },
      });
    }));

  it('protect their monitor from signals, tracing, reading and forged reports', () =>
    open(async (sandbox) => {
      const attack =
        'kill -9 1 6 7 8; kill -STOP 7; for p in 1 6 7 8; do cat /proc/$p/environ /proc/$p/mem; ls /proc/$p/fd; echo 3 0us 0 0 >/proc/$p/fd/1; done';
      await sandbox.exec(['sh', '-c', `(${attack}) 2>/dev/null`], { signal: never });
      const bomb = await sandbox.exec(['sh', '-c', 'while :; do sleep 60 & done'], { signal: never });
      expect(bomb).toMatchObject({ kind: 'killed', by: 'pids' });
      expect(await sandbox.exec(['echo', 'lives'], { signal: never })).toMatchObject({
        kind: 'exited',
        stdout: { text: 'lives\n' },
      });
    }));

  it('refuse a folder turned into a link to a descriptor of the runtime (CVE-2024-21626)', () =>
    open(async (sandbox) => {
      for (const descriptor of [3, 6, 7, 8, 9]) {
        await sandbox.exec(['sh', '-c', `rm -rf d; ln -s /proc/self/fd/${descriptor} d`], { signal: never });
        await expect(
          sandbox.exec(['cat', '../../../../../etc/shadow'], { signal: never, folder: 'd' }),
        ).rejects.toThrow(/folder "d" of a program: it is a link/);
        expect(await sandbox.read('d/x', { signal: never, maxBytes: 10 })).toBe(undefined);
        await expect(sandbox.write('d/x', '', { signal: never })).rejects.toThrow(/link/);
      }
    }));

  it('refuse links that lead out of the work folder', () =>
    open(async (sandbox) => {
      await sandbox.exec(
        ['sh', '-c', 'ln -s /etc etc; ln -s /etc/passwd passwd; mkfifo pipe; ln -s /tmp tmp'],
        { signal: never },
      );
      await expect(sandbox.exec(['true'], { signal: never, folder: 'etc' })).rejects.toThrow(
        /folder "etc" of a program: it is a link/,
      );
      for (const path of ['etc/passwd', 'passwd', 'pipe', 'tmp/x']) {
        expect(await sandbox.read(path, { signal: never, maxBytes: 10_000 })).toBe(undefined);
        await expect(sandbox.write(path, 'x', { signal: never })).rejects.toMatchObject({
          fault: { kind: 'sandbox-failed', stage: 'file' },
        });
      }
    }));

  it('never take the output of a program for a report of the sandbox', () =>
    open(async (sandbox) => {
      const forged = `${'0'.repeat(32)}\n`;
      expect(
        await sandbox.exec(['sh', '-c', `printf '${forged}' >&2; exit 125`], { signal: never }),
      ).toMatchObject({ kind: 'exited', code: 125 });
      await using conversation = await sandbox.converse('shell', { signal: never });
      const said = await conversation.say(
        `echo '${'0'.repeat(32)} 0'; cat /proc/$$/cmdline | head -c 0; exec 4>&1; echo "x 0" >&4; false`,
        { signal: never },
      );
      expect(said).toMatchObject({ kind: 'exited', code: 1, stdout: { text: `${'0'.repeat(32)} 0\nx 0\n` } });
    }));

  it('give way to a new container when they cannot be emptied, and keep the files', () =>
    open(async (sandbox) => {
      await sandbox.write('kept', 'mine', { signal: never });
      const bomb =
        'import os, time\nfor child in range(31):\n  if os.fork() == 0:\n    while True: time.sleep(60)\nwhile True: time.sleep(60)\n';
      expect(
        await sandbox.exec(['python3', '-c', bomb], { signal: never, limits: { wallMs: 1500 } }),
      ).toMatchObject({ kind: 'killed' });
      expect(await readText(sandbox, 'kept')).toBe('mine');
    }));

  it('serve many pools that fill at once, and leave nothing behind', async () => {
    const providers = Array.from({ length: 4 }, () => dockerProvider({ warm: 3 }));
    const sandboxes = await Promise.all(
      providers.flatMap((provider) =>
        [1, 2].map(() => provider.open({ limits: dockerLimits, needs: {}, signal: never })),
      ),
    );
    const results = await Promise.all(
      sandboxes.map((sandbox) => sandbox.exec(['echo', 'served'], { signal: never })),
    );
    expect(results.map(({ stdout }) => stdout.text)).toEqual(sandboxes.map(() => 'served\n'));
    await Promise.all(providers.map((provider) => provider[Symbol.asyncDispose]()));
    expect(await countOwned(` ${process.pid} `)).toBe(0);
  });

  it('end a program whose caller aborts while it starts', () =>
    open(async (sandbox) => {
      for (const delay of [0, 5, 10, 15, 20, 30, 40, 60, 80, 100]) {
        const mark = `cairn-late-${process.pid}-${delay}`;
        const controller = new AbortController();
        const running = expect(
          sandbox.exec(['sh', '-c', 'sleep 60; :', mark], { signal: controller.signal }),
        ).rejects.toThrow('enough');
        setTimeout(() => controller.abort(new Error('enough')), delay);
        await running;
        expect(marked(mark)).toEqual([]);
        await sleep(150);
        expect(marked(mark)).toEqual([]);
      }
    }));

  it('report a full disk', () =>
    open(async (sandbox) => {
      expect(
        await sandbox.exec(['sh', '-c', 'head -c 20000000 /dev/zero >big'], { signal: never }),
      ).toMatchObject({ kind: 'killed', by: 'disk' });
    }));
});
