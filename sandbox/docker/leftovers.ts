import { remove } from './cell.ts';
import type { Daemon } from './daemon.ts';
import { isLeft, ownerLabel } from './owner.ts';
import { sweepVolumes } from './work-volume.ts';

/**
 * Removes containers of processes that were killed before they could clean up, and of providers that were
 * closed while the daemon was unreachable. A container that was created but never started does not end by
 * itself. Work folders without a container are removed too.
 */
export async function sweepLeft(daemon: Daemon): Promise<void> {
  await sweep(daemon, isLeft);
}

/**
 * Removes the leftovers of one process, including what the daemon created without being able to report it.
 */
export async function sweepOf(daemon: Daemon, owner: string): Promise<void> {
  await sweep(daemon, (label) => label === owner);
}

async function sweep(daemon: Daemon, concerns: (label: string) => boolean): Promise<void> {
  const containers = await daemon.ask('list containers', (docker, abortSignal) =>
    docker.listContainers({ all: true, filters: { label: [ownerLabel] }, abortSignal }),
  );
  const left = containers.filter(({ Labels }) => concerns(Labels[ownerLabel] ?? ''));
  // a failed removal harms nobody and is tried again
  await Promise.allSettled(left.map(({ Id }) => remove(daemon, Id)));
  await sweepVolumes(daemon);
}
