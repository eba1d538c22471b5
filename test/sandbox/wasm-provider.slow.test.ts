// Slow: starts an interpreter in each of a hundred tests.
import { wasmSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { describeSandboxContract } from './suite/contract.ts';

// The attacks run on WebAssembly within bubblewrap. Alone it claims to withstand none.
describeSandboxContract(wasmSubject);
