import type { DockerSettings } from './options.ts';

/** gVisor: its containers have a kernel of their own, a process of the machine's, with a thread there for each of theirs and some of its own. */
const gvisor = 'runsc';

export const hasOwnKernel = ({ runtime }: Pick<DockerSettings, 'runtime'>): boolean => runtime === gvisor;

/** Threads that such a kernel needs beside those of its processes: with fewer it starts none, and says that memory is out. */
export const threadsOfKernel = 400;

/** Memory that it takes itself: with less than some 30 MiB in all none starts. */
export const bytesOfKernel = 64 * 2 ** 20;
