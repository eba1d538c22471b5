// Slow: starts an interpreter in each of a hundred tests.
import { wasmSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { describeSandboxContract } from './suite/contract.ts';

// The attacks are tried on WebAssembly within bubblewrap: alone it claims to hold none.
describeSandboxContract(wasmSubject);
