import { randomBytes } from 'node:crypto';
import { sleep } from '../../envs/core/waiting.ts';
import { statusOf, type Daemon } from './daemon.ts';
import { ownerLabel } from './owner.ts';

const removalLooks = 500;

/** The volume that a work folder lies in. By its name it is known as ours also where a daemon that was killed had not written its label down yet. */
export class WorkVolume {
  readonly name = `cairn-gym-${randomBytes(12).toString('hex')}`;
  /** Containers with it that are there or being made. */
  holders = 0;
}

const ownName = /^cairn-gym-[0-9a-f]{24}$/;

/** Removes a volume that nobody holds, or will in a moment; one that is gone already is no failure. */
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
      await sleep(20); // its last container is just being removed
    }
  }
}

/**
 * Removes work folders that no container holds, whoever made them: one that is in use is held from its making on, by a container, and the
 * daemon removes nothing that is held.
 */
export async function sweepVolumes(daemon: Daemon): Promise<void> {
  const { Volumes } = await daemon.ask('list volumes', (docker, abortSignal) =>
    docker.listVolumes({ filters: { dangling: ['true'] }, abortSignal }),
  );
  for (const { Name, Labels } of Volumes ?? []) {
    if (ownName.test(Name) || Labels?.[ownerLabel] !== undefined)
      await daemon
        .ask('remove a volume', (docker, abortSignal) => docker.getVolume(Name).remove({ abortSignal }))
        .catch(() => undefined); // somebody else is just removing it
  }
}
