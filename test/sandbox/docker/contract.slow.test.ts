// Slow: each test starts containers.
import { dockerSubject } from '../../../bench/sandbox/attacks/subjects.ts';
import { describeWithParts } from '../../support/system-part.ts';
import { describeSandboxContract } from '../suite/contract.ts';

await describeWithParts(['docker'], 'Docker containers', () => {
  describeSandboxContract(dockerSubject);
});
