import { remove } from './cell.ts';
import type { Daemon } from './daemon.ts';
import { isDead, ownerLabel } from './owner.ts';
import { sweepVolumes } from './work-volume.ts';

/** Removes containers of processes that have ended, which ended so suddenly that nothing could be put away, and work folders that nothing holds. */
export async function sweepDead(daemon: Daemon): Promise<void> {
  await sweep(daemon, isDead);
}

/** Removes what one process has left, also what the daemon made without being able to say so. */
export async function sweepOf(daemon: Daemon, owner: string): Promise<void> {
  await sweep(daemon, (label) => label === owner);
}

async function sweep(daemon: Daemon, isLeft: (label: string) => boolean): Promise<void> {
  const containers = await daemon.ask('list containers', (docker, abortSignal) => docker.listContainers({ all: true, filters: { label: [ownerLabel] }, abortSignal }));
  for (const { Id, Labels } of containers) if (isLeft(Labels[ownerLabel] ?? '')) await remove(daemon, Id);
  await sweepVolumes(daemon);
}
