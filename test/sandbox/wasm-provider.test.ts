import { createWasmProvider } from '../../sandbox/wasm/provider.ts';
import { describeAttacks } from './suite/describe-attacks.ts';
import { describeSandboxContract } from './suite/contract.ts';
import type { Subject } from './suite/subject.ts';

const subject: Subject = { title: 'wasm', provider: () => Promise.resolve(createWasmProvider({ now: () => performance.now() })), startsProcesses: false };

describeSandboxContract(subject);
describeAttacks(subject);
