// Slow: each test starts containers.
import { expect, it } from 'vitest';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Sandbox } from '../../../sandbox/index.ts';
import { dockerLimits, dockerProvider } from '../../support/docker.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { never, readText } from '../suite/subject.ts';

const withSandbox = async (run: (sandbox: Sandbox) => Promise<void>): Promise<void> => {
  await using provider = dockerProvider({ warm: 0 });
  await using sandbox = await provider.open({ limits: dockerLimits, needs: {}, signal: never });
  await run(sandbox);
};
const reasonOf = (work: Promise<unknown> | undefined): Promise<string> =>
  (work ?? Promise.resolve()).then(
    () => 'no error',
    (thrown: unknown) => (UsageError.is(thrown) ? thrown.message : `not a UsageError: ${String(thrown)}`),
  );

await describeWithParts(['docker'], 'the work folder of a Docker container', () => {
  it.each(['0', '0600', '0500'])('serves every call after a program gave it the mode %s', (mode) =>
    withSandbox(async (sandbox) => {
      const close = async (): Promise<void> => {
        expect(await sandbox.exec(['chmod', mode, '/work'], { signal: never })).toMatchObject({
          kind: 'exited',
          code: 0,
        });
      };
      await sandbox.write('in/file', 'kept', { signal: never });
      await close();
      expect(await sandbox.exec(['cat', 'in/file'], { signal: never })).toMatchObject({
        kind: 'exited',
        code: 0,
        stdout: { text: 'kept' },
      });
      await close();
      expect(await sandbox.exec(['cat', 'file'], { signal: never, folder: 'in' })).toMatchObject({
        kind: 'exited',
        code: 0,
        stdout: { text: 'kept' },
      });
      await close();
      expect(await readText(sandbox, 'in/file')).toBe('kept');
      await close();
      await sandbox.write('later', 'later', { signal: never });
      await close();
      await using conversation = await sandbox.converse('shell', { signal: never });
      expect(await conversation.say('cat later', { signal: never })).toMatchObject({
        kind: 'exited',
        code: 0,
        stdout: { text: 'later' },
      });
      await close();
      await using kept = await sandbox.snapshot?.({ signal: never });
      expect(kept?.provider).toBe('docker');
    }),
  );

  it('distinguishes a missing folder, one that cannot be entered and a failed sandbox', () =>
    withSandbox(async (sandbox) => {
      const inFolder = (folder: string): Promise<string> =>
        reasonOf(sandbox.exec(['true'], { signal: never, folder }));
      expect(await inFolder('nah')).toBe(
        'folder "nah" of a program: it does not exist in the work folder. Write a file into it first.',
      );
      expect(await inFolder('./nah/deeper')).toMatch(
        /^folder ".\/nah\/deeper" of a program: it does not exist/,
      );
      await sandbox.exec(['sh', '-c', 'ln -s /etc link; ln -s nowhere lost; : >file; mkdir -m 0 shut'], {
        signal: never,
      });
      for (const folder of ['link', 'lost', 'file', 'shut'])
        expect(await inFolder(folder)).toMatch(
          new RegExp(`^folder "${folder}" of a program: it is a link, not a folder, or not accessible`),
        );
    }));

  it('names the file that makes a snapshot too large, even when a line ends in its name', () =>
    withSandbox(async (sandbox) => {
      await sandbox.exec(['sh', '-c', 'truncate -s 1M "5\n6"; mkdir "a\n"; truncate -s 1G "a\n/ 7 \n"'], {
        signal: never,
      });
      expect(await reasonOf(sandbox.snapshot?.({ signal: never }))).toMatch(
        /^sandbox\.snapshot, "a\\n\/ 7 \\n": with it, all files together take more than 8388608 bytes/,
      );
      await sandbox.exec(['sh', '-c', 'rm -r a*; : >"shut\n"; chmod 0 shut*'], { signal: never });
      expect(await reasonOf(sandbox.snapshot?.({ signal: never }))).toMatch(
        /^sandbox\.snapshot, "shut\\n": its permissions allow nobody to read it/,
      );
    }));

  it('keeps nothing of a file whose writer was killed before it could clean up', async () => {
    await using provider = dockerProvider({ warm: 0, cpus: 0.02 }); // its cleanup is slower than the kill
    await using sandbox = await provider.open({
      limits: { ...dockerLimits, diskBytes: 32 * 2 ** 20 },
      needs: {},
      signal: never,
    });
    for (const ms of [100, 300, 500]) {
      await sandbox
        .write('in/file', new Uint8Array(20 * 2 ** 20), { signal: AbortSignal.timeout(ms) })
        .catch(() => undefined);
    }
    const listed = await sandbox.exec(['ls', '-A', '/work', 'in'], { signal: never });
    expect(listed.stdout.text).toContain('/work:\nin\n');
    expect(listed.stdout.text).not.toMatch(/^\.[0-9a-f]+$/m);
  });
});
