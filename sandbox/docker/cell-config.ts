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

/** The limits that a container is created with. */
export type CellLimits = Pick<Limits, 'memoryBytes' | 'pids' | 'diskBytes'>;

export interface CellPlan {
  readonly settings: DockerSettings;
  readonly owner: string;
  readonly name: string;
  readonly limits: CellLimits;
  /**
   * The user id of programs. Nobody else has it, so that counts of the kernel per user are counts of this
   * sandbox.
   */
  readonly user: number;
  readonly volume: WorkVolume;
  /** A container whose work folder this one shares. */
  readonly beside?: string;
}

/** The user id of the monitor. */
const monitorUser = 65_533;
/**
 * Mount options of the cover over the pseudo-terminals. The kernel counts these for the whole machine, so one
 * program could use up those of all sandboxes.
 */
const coveredTerminals = 'ro,nosuid,nodev,noexec,size=4096,nr_inodes=2,mode=0555';
/** Bytes of `/tmp` and of `/dev/shm`, each. Less where the limit on files is lower. */
const scratchBytes = 16 * 2 ** 20;

/**
 * The memory of a container. Files are in memory and count for the process that writes them. There is room
 * for both limits, so that a full disk is not reported as lack of memory. Space that files do not use is
 * available as memory.
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
 * A volume in memory, not a mount of the container itself. It outlives a container that has to be killed
 * while another one holds it. The daemon does not remove named volumes: it is removed with its last
 * container, or swept.
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

/**
 * The mount options of a size in bytes. Small files take memory beyond their content, so their number is
 * limited: one per 4 KiB, and about a thousand.
 */
const sizeOf = (bytes: number): string => `size=${bytes},nr_inodes=${filesIn(bytes)}`;
