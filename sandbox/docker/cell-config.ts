import type { ContainerCreateOptions, HostConfig } from 'dockerode';
import { filesIn } from '../pages.ts';
import { workFolder } from '../program-words.ts';
import type { Limits } from '../sandbox.ts';
import { monitorCommand, ownProcesses } from './monitor.ts';
import type { DockerSettings } from './options.ts';
import { ownerLabel } from './owner.ts';
import { bytesOfKernel, hasOwnKernel, threadsOfKernel } from './runtime.ts';
import { systemCallFilter } from './system-calls.ts';
import type { WorkVolume } from './work-volume.ts';

/** The limits that a container is made with. */
export type CellLimits = Pick<Limits, 'memoryBytes' | 'pids' | 'diskBytes'>;

export interface CellPlan {
  readonly settings: DockerSettings;
  readonly owner: string;
  readonly name: string;
  readonly limits: CellLimits;
  /** Whom programs run as: a number that nobody else has, so that what the kernel counts by user is counted apart. */
  readonly user: number;
  readonly volume: WorkVolume;
  /** A container whose work folder this one shares. */
  readonly beside?: string;
}

/** Whom the monitor runs as. */
const monitorUser = 65_533;
/** Over the pseudo-terminals, which the kernel counts for the whole machine: one program could take all that sandboxes may have. */
const coveredTerminals = 'ro,nosuid,nodev,noexec,size=4096,nr_inodes=2,mode=0555';
/** Of `/tmp` and `/dev/shm`, each; less where less may be written at all. */
const scratchBytes = 16 * 2 ** 20;

/**
 * Files lie in memory and are charged to who writes them: so that a full disk is a full disk and not a want of memory, there is room for
 * both. What a program does not write it may use as memory.
 */
export function memoryOf(
  limits: CellLimits,
  settings: Pick<DockerSettings, 'runtime'>,
): { readonly Memory: number; readonly MemorySwap: number } {
  const bytes = limits.memoryBytes + limits.diskBytes + (hasOwnKernel(settings) ? bytesOfKernel : 0);
  return { Memory: bytes, MemorySwap: bytes };
}

export const pidsOf = (limits: Pick<Limits, 'pids'>, settings: Pick<DockerSettings, 'runtime'>): number =>
  limits.pids + ownProcesses + (hasOwnKernel(settings) ? threadsOfKernel : 0);

export function containerOf(plan: CellPlan): ContainerCreateOptions {
  const { settings, owner, name } = plan;
  return {
    name,
    Image: settings.image,
    Cmd: monitorCommand(settings),
    Entrypoint: [],
    Labels: { [ownerLabel]: owner },
    User: `${monitorUser}:${monitorUser}`,
    WorkingDir: '/',
    OpenStdin: true,
    StdinOnce: true,
    AttachStdin: true,
    AttachStdout: true,
    NetworkDisabled: true,
    Healthcheck: { Test: ['NONE'] },
    HostConfig: hostConfigOf(plan),
  };
}

function hostConfigOf(plan: CellPlan): HostConfig {
  const { settings, limits, beside, user } = plan;
  const scratch = `rw,nosuid,nodev,${sizeOf(Math.min(scratchBytes, limits.diskBytes))},mode=0700,uid=${user},gid=${user}`;
  return {
    Init: true,
    AutoRemove: true,
    NetworkMode: 'none',
    IpcMode: 'private',
    ReadonlyRootfs: true,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges', `seccomp=${systemCallFilter}`],
    ...memoryOf(limits, settings),
    NanoCpus: Math.round(settings.cpus * 1e9),
    PidsLimit: pidsOf(limits, settings),
    Ulimits: [{ Name: 'core', Soft: 0, Hard: 0 }],
    LogConfig: { Type: 'none', Config: {} },
    Tmpfs: { '/tmp': `${scratch},exec`, '/dev/shm': scratch, '/dev/pts': coveredTerminals },
    ...(settings.runtime !== undefined && { Runtime: settings.runtime }),
    ...(beside === undefined ? { Mounts: [workMount(plan)] } : { VolumesFrom: [beside] }),
  };
}

/**
 * A volume in memory, not a mount of the container's own: it outlives a container that has to be killed while another one holds it. The
 * daemon removes none that has a name: it is removed with the last container from here, or swept.
 */
function workMount({ limits, owner, user, volume }: CellPlan): NonNullable<HostConfig['Mounts']>[number] {
  const o = `nosuid,nodev,${sizeOf(limits.diskBytes)},mode=0700,uid=${user},gid=${user}`;
  return {
    Type: 'volume',
    Source: volume.name,
    Target: workFolder,
    VolumeOptions: {
      NoCopy: true,
      Labels: { [ownerLabel]: owner },
      DriverConfig: { Name: 'local', Options: { type: 'tmpfs', device: 'tmpfs', o } },
    },
  };
}

/** Small files take memory beside what is in them: there may be one for each 4 KiB, and some thousand. */
const sizeOf = (bytes: number): string => `size=${bytes},nr_inodes=${filesIn(bytes)}`;
