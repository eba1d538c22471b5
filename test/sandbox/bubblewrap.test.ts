import { bubblewrapSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { describeWithParts } from '../support/system-part.ts';
import { describeSandboxContract } from './suite/contract.ts';
import { describeAttacks } from './suite/describe-attacks.ts';

await describeWithParts(['bubblewrap'], 'bubblewrap', () => {
  describeSandboxContract(bubblewrapSubject);
  describeAttacks(bubblewrapSubject);
});
