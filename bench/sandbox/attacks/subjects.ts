import { readdirSync, readFileSync } from 'node:fs';
import { createBubblewrapProvider } from '../../../sandbox/bubblewrap/provider.ts';
import { createDockerProvider } from '../../../sandbox/docker/provider.ts';
import { createWasmProvider } from '../../../sandbox/wasm/provider.ts';
import type { SandboxProvider } from '../../../sandbox/index.ts';
import { systemParts } from '../../../cli/doctor/system-parts.ts';
import { beginDaemon } from './own-daemon.ts';
import { type Subject } from './subject.ts';
import { sleep } from '../../../envs/core/waiting.ts';

/** Of this process, whatever thread began them. */
const children = (): readonly number[] =>
  readdirSync('/proc/self/task').flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

export const bubblewrapSubject: Subject = {
  title: 'bubblewrap',
  provider: () => Promise.resolve(createBubblewrapProvider({ now: () => performance.now() })),
  killSupervisor: () => {
    for (const pid of children())
      if (readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bwrap\n') process.kill(pid, 'SIGKILL');
    return Promise.resolve();
  },
};

const dockerAt = (host: string | undefined): SandboxProvider =>
  createDockerProvider({ host, now: () => performance.now() });

export const dockerSubject: Subject = {
  title: 'docker',
  provider: () => Promise.resolve(dockerAt(process.env['DOCKER_HOST'])),
  ownSupervisor: async () => {
    const found = await systemParts.find(({ name }) => name === 'docker-daemon')?.find(process.env);
    if (found?.kind !== 'present')
      return {
        kind: 'none',
        why: `the machine's daemon serves others, and no other can be begun (${found?.detail ?? 'unknown'})`,
      };
    const daemon = await beginDaemon(process.env['DOCKER_HOST']);
    const killAndRepair = async (): Promise<void> => {
      await daemon.end('SIGKILL');
      await sleep(1_000); // nobody fixes it at once: what ran must not live on meanwhile
      await daemon.start();
    };
    return {
      kind: 'begun',
      supervisor: {
        provider: () => dockerAt(daemon.host),
        killAndRepair,
        [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
      },
    };
  },
};

export const wasmSubject: Subject = {
  title: 'wasm',
  provider: () => Promise.resolve(createWasmProvider({ now: () => performance.now() })),
  startsProcesses: false,
  isWithinJavaScript: true,
};

export const wasmInBubblewrapSubject: Subject = {
  title: 'wasm in bubblewrap',
  provider: () => Promise.resolve(createWasmProvider({ now: () => performance.now(), within: 'bubblewrap' })),
  startsProcesses: false,
  isWithinJavaScript: true,
};

/** Every provider that the attacks are tried on. */
export const subjects: readonly Subject[] = [
  bubblewrapSubject,
  dockerSubject,
  wasmInBubblewrapSubject,
  wasmSubject,
];
