// Slow: starts an interpreter in each of its tests.
import { wasmSubject } from '../../bench/sandbox/attacks/subjects.ts';
import { createBubblewrapLauncher } from '../../sandbox/wasm/bubblewrap-launcher.ts';
import { describeSandboxContract } from './suite/contract.ts';
import { never } from './suite/subject.ts';

// Where bubblewrap works, wasm-bubblewrap.test.ts tries all laws on the same interpreters, and only their processes start in another way here.
const hasBubblewrap = (await createBubblewrapLauncher().unavailable(never)) === undefined;

// The attacks run on WebAssembly within bubblewrap. Alone it claims to withstand none.
describeSandboxContract(wasmSubject, hasBubblewrap ? 'start' : 'all');
