import { wasmSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { describeAttacks } from './suite/describe-attacks.ts';
import { describeSandboxContract } from './suite/contract.ts';

describeSandboxContract(wasmSubject);
describeAttacks(wasmSubject);
