import { remove } from './cell.ts';
import type { Daemon } from './daemon.ts';
import { isLeft, ownerLabel } from './owner.ts';
import { sweepVolumes } from './work-volume.ts';

/**
 * Removes containers of processes that ended so suddenly that nothing could be put away, and of providers that were closed while the daemon
 * could not be asked: one that was made but never started does not end by itself. With them go work folders that nothing holds.
 */
export async function sweepLeft(daemon: Daemon): Promise<void> {
  await sweep(daemon, isLeft);
}

/** Removes what one process has left, also what the daemon made without being able to say so. */
export async function sweepOf(daemon: Daemon, owner: string): Promise<void> {
  await sweep(daemon, (label) => label === owner);
}

async function sweep(daemon: Daemon, concerns: (label: string) => boolean): Promise<void> {
  const containers = await daemon.ask('list containers', (docker, abortSignal) =>
    docker.listContainers({ all: true, filters: { label: [ownerLabel] }, abortSignal }),
  );
  const left = containers.filter(({ Labels }) => concerns(Labels[ownerLabel] ?? ''));
  await Promise.allSettled(left.map(({ Id }) => remove(daemon, Id))); // one that cannot be removed stands in nobody's way, and is tried again
  await sweepVolumes(daemon);
}
