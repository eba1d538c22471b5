import { readdirSync, readFileSync } from 'node:fs';
import { createBubblewrapProvider } from '../../sandbox/bubblewrap/provider.ts';
import { describeWithParts } from '../support/system-part.ts';
import { describeAttacks } from './suite/describe-attacks.ts';
import { describeSandboxContract } from './suite/contract.ts';
import type { Subject } from './suite/subject.ts';

/** Of this process, whatever thread began them. */
const children = (): readonly number[] =>
  readdirSync('/proc/self/task').flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number));

const subject: Subject = {
  title: 'bubblewrap',
  provider: () => Promise.resolve(createBubblewrapProvider({ now: () => performance.now() })),
  killSupervisor: () => {
    for (const pid of children()) if (readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bwrap\n') process.kill(pid, 'SIGKILL');
    return Promise.resolve();
  },
};

await describeWithParts(['bubblewrap'], 'bubblewrap', () => {
  describeSandboxContract(subject);
  describeAttacks(subject);
});
