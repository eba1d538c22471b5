import { remove } from './cell.ts';
import type { Daemon } from './daemon.ts';
import { isDead, ownerLabel } from './owner.ts';

/** Removes containers and volumes of processes that have ended, which ended so suddenly that nothing could be put away. */
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
  const { Volumes } = await daemon.ask('list volumes', (docker) => docker.listVolumes({ filters: { label: [ownerLabel] } }));
  for (const { Name, Labels } of Volumes ?? []) {
    if (isLeft(Labels?.[ownerLabel] ?? '')) await daemon.ask('remove a volume', (docker) => docker.getVolume(Name).remove({ force: true })).catch(() => undefined); // its container is just being removed, by somebody else
  }
}
