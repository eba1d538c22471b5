import { readdirSync, readFileSync } from 'node:fs';
import { createBubblewrapProvider } from '../../../sandbox/bubblewrap/provider.ts';
import { createDockerProvider } from '../../../sandbox/docker/provider.ts';
import { createWasmProvider } from '../../../sandbox/wasm/provider.ts';
import type { Subject } from './subject.ts';

/** Of this process, whatever thread began them. */
const children = (): readonly number[] =>
  readdirSync('/proc/self/task').flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number));

export const bubblewrapSubject: Subject = {
  title: 'bubblewrap',
  provider: () => Promise.resolve(createBubblewrapProvider({ now: () => performance.now() })),
  killSupervisor: () => {
    for (const pid of children()) if (readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bwrap\n') process.kill(pid, 'SIGKILL');
    return Promise.resolve();
  },
};

/** Its daemon is killed by a test that has one of its own. */
export const dockerSubject: Subject = {
  title: 'docker',
  provider: () => Promise.resolve(createDockerProvider({ host: process.env['DOCKER_HOST'], now: () => performance.now() })),
};

export const wasmSubject: Subject = {
  title: 'wasm',
  provider: () => Promise.resolve(createWasmProvider({ now: () => performance.now() })),
  startsProcesses: false,
};

export const wasmInBubblewrapSubject: Subject = {
  title: 'wasm in bubblewrap',
  provider: () => Promise.resolve(createWasmProvider({ now: () => performance.now(), within: 'bubblewrap' })),
  startsProcesses: false,
};

/** Every provider that the attacks are tried on. */
export const subjects: readonly Subject[] = [bubblewrapSubject, dockerSubject, wasmInBubblewrapSubject, wasmSubject];
