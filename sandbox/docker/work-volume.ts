import { randomBytes } from 'node:crypto';
import { sleep } from '../../envs/core/waiting.ts';
import { statusOf, type Daemon } from './daemon.ts';
import { ownerLabel } from './owner.ts';

const removalLooks = 500;

/**
 * The volume of a work folder. Its name identifies it as ours even where a daemon was killed before it had
 * stored the label.
 */
export class WorkVolume {
  readonly name = `cairn-gym-${randomBytes(12).toString('hex')}`;
  /** Containers with it that exist or are being created. */
  holders = 0;
}

const ownName = /^cairn-gym-[0-9a-f]{24}$/;

/**
 * Removes a volume that nobody holds, or whose last container is being removed. A missing volume is no
 * failure.
 */
export async function removeVolume(daemon: Daemon, name: string): Promise<void> {
  const held = 409;
  const notThere = 404;
  for (let look = 1; ; look += 1) {
    try {
      await daemon.ask('remove a volume', (docker, abortSignal) =>
        docker.getVolume(name).remove({ abortSignal }),
      );
      return;
    } catch (thrown) {
      if (statusOf(thrown) === notThere) return;
      if (statusOf(thrown) !== held || look === removalLooks) throw thrown;
      await sleep(20); // its last container is being removed
    }
  }
}

/**
 * Removes work folders that no container holds, of any owner. A work folder in use is held by a container
 * from its creation on, and the daemon does not remove volumes that are held.
 */
export async function sweepVolumes(daemon: Daemon): Promise<void> {
  const { Volumes } = await daemon.ask('list volumes', (docker, abortSignal) =>
    docker.listVolumes({ filters: { dangling: ['true'] }, abortSignal }),
  );
  for (const { Name, Labels } of Volumes ?? []) {
    if (ownName.test(Name) || Labels?.[ownerLabel] !== undefined)
      await daemon
        .ask('remove a volume', (docker, abortSignal) => docker.getVolume(Name).remove({ abortSignal }))
        .catch(() => undefined); // another process is removing it
  }
}
