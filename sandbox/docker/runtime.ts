import type { DockerSettings } from './options.ts';

/**
 * gVisor. Its containers have a kernel of their own: a process of the machine, with a thread for each of
 * their threads and some more.
 */
const gvisor = 'runsc';

export const hasOwnKernel = ({ runtime }: Pick<DockerSettings, 'runtime'>): boolean => runtime === gvisor;

/**
 * Threads that such a kernel needs in addition to those of its processes. With fewer it starts none and
 * reports that memory is out.
 */
export const threadsOfKernel = 400;

/** Memory of the kernel itself, in bytes. With less than some 30 MiB in total it does not start. */
export const bytesOfKernel = 64 * 2 ** 20;
