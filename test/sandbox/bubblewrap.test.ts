import { expect, it } from 'vitest';
import { bubblewrapSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { describeWithParts } from '../support/system-part.ts';
import { describeSandboxContract } from './suite/contract.ts';
import { describeAttacks } from './suite/describe-attacks.ts';
import { never, suiteLimits } from './suite/subject.ts';

await describeWithParts(['bubblewrap'], 'bubblewrap', () => {
  describeSandboxContract(bubblewrapSubject);
  describeAttacks(bubblewrapSubject);

  it('lets nobody write to what a program reads, which no limit bounds', async () => {
    await using provider = await bubblewrapSubject.provider();
    await using sandbox = await provider.open({ limits: suiteLimits, needs: {}, signal: never });
    const source = 'import os\nfor way in (os.O_RDWR, os.O_WRONLY):\n    try:\n        os.fchmod(0, 0o777)\n    except OSError:\n        pass\n    try:\n        print(os.write(os.open("/proc/self/fd/0", way), b"x"))\n    except OSError:\n        print("held")\nprint(open("/dev/stdin").read())';
    expect(await sandbox.exec(['python3', '-c', source], { signal: never, stdin: 'given' })).toMatchObject({ kind: 'exited', stdout: { text: 'held\nheld\ngiven\n' } });
  });
});
