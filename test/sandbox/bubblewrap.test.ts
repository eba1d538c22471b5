import { expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { FaultError, UsageError } from '../../envs/core/errors.ts';
import { bubblewrapSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { untilGone } from '../support/processes.ts';
import { describeWithParts } from '../support/system-part.ts';
import { describeSandboxContract } from './suite/contract.ts';
import { describeAttacks } from './suite/describe-attacks.ts';
import { never, readText, suiteLimits } from './suite/subject.ts';

await describeWithParts(['bubblewrap'], 'bubblewrap', () => {
  describeSandboxContract(bubblewrapSubject);
  describeAttacks(bubblewrapSubject);

  it('prevents writes to the input of a program, which no limit bounds', async () => {
    await using provider = await bubblewrapSubject.provider();
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    const source =
      'import os\nfor way in (os.O_RDWR, os.O_WRONLY):\n    try:\n        os.fchmod(0, 0o777)\n    except OSError:\n        pass\n    try:\n        print(os.write(os.open("/proc/self/fd/0", way), b"x"))\n    except OSError:\n        print("held")\nprint(open("/dev/stdin").read())';
    expect(await sandbox.exec(['python3', '-c', source], { signal: never, stdin: 'given' })).toMatchObject({
      kind: 'exited',
      stdout: { text: 'held\nheld\ngiven\n' },
    });
  });

  it('goes on after a program closed the work folder to everybody', async () => {
    await using provider = await bubblewrapSubject.provider();
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await sandbox.write('a/file', 'kept', { signal: never });
    const close = (): Promise<unknown> =>
      sandbox.exec(['python3', '-c', 'import os; os.chmod("/work", 0)'], { signal: never });
    await close();
    expect(await sandbox.exec(['cat', 'file'], { signal: never, folder: 'a' })).toMatchObject({
      kind: 'exited',
      code: 0,
      stdout: { text: 'kept' },
    });
    await close();
    expect(await readText(sandbox, 'a/file')).toBe('kept');
    await close();
    await sandbox.write('b', 'too', { signal: never });
    await close();
    await using snapshot = await sandbox.snapshot?.({ signal: never });
    expect(snapshot?.provider).toBe('bubblewrap');
  });

  it('distinguishes lost files, with the cause, from missing files', async () => {
    await using provider = await bubblewrapSubject.provider();
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await sandbox.write('kept', 'x', { signal: never });
    const keepers = readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'utf8')
        .split(' ')
        .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sh\n'),
    );
    expect(keepers).toHaveLength(1);
    process.kill(Number(keepers[0]), 'SIGKILL');
    await untilGone(keepers.map(Number)); // a signalled process may still run
    const lost = (work: Promise<unknown>) =>
      expect(work).rejects.toSatisfy(
        (thrown: unknown) => FaultError.is(thrown) && /gone/.test(thrown.message),
      );
    for (let round = 0; round < 2; round += 1) {
      await lost(sandbox.read('kept', { signal: never, maxBytes: 1 }));
      await lost(sandbox.write('kept', 'y', { signal: never }));
      await lost(sandbox.snapshot?.({ signal: never }) ?? Promise.resolve());
      await expect(sandbox.exec(['true'], { signal: never })).rejects.toThrow(FaultError);
    }
  });

  it('serves all who wait for its first trial when the first of them leaves', async () => {
    await using provider = await bubblewrapSubject.provider();
    const caller = new AbortController();
    const first = expect(provider.unavailable(caller.signal)).rejects.toThrow('enough');
    const second = provider.unavailable(never);
    caller.abort(new Error('enough'));
    await first;
    expect(await second).toBeUndefined();
  });

  it('refuses a missing folder as wrong use', async () => {
    await using provider = await bubblewrapSubject.provider();
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    await expect(sandbox.exec(['true'], { signal: never, folder: 'nah' })).rejects.toThrow(
      'folder "nah" of a program: it does not exist in the work folder. Write a file into it first.',
    );
    await expect(sandbox.exec(['true'], { signal: never, folder: 'nah' })).rejects.toBeInstanceOf(UsageError);
  });
});
