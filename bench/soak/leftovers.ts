import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect } from '../../sandbox/docker/daemon.ts';
import { ownerLabel } from '../../sandbox/docker/owner.ts';
import { readResources, type Resources } from './resources.ts';

/**
 * Seconds for which the detached children of sessions would sleep. The number distinguishes them from all
 * other processes.
 */
export const sleepMark = `600.${process.pid}`;

/** What sessions may leave on the machine: counts of ours alone. */
export interface Leftovers extends Resources {
  /** Anywhere on the machine, by their command lines. */
  readonly detached: number;
  readonly mounts: number;
  readonly controlGroups: number;
  /** In the temporary folder, which is to be the process's own. */
  readonly files: number;
  /** 0 where no daemon answers. */
  readonly containers: number;
  readonly volumes: number;
}

export async function readLeftovers(): Promise<Leftovers> {
  return {
    ...readResources(),
    detached: readdirSync('/proc').filter(
      (entry) => /^\d+$/.test(entry) && commandOf(entry).includes(sleepMark),
    ).length,
    mounts: readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .filter((line) => line.includes(' /tmp')).length,
    controlGroups: ['.', 'memory', 'pids', 'cpuacct'].map(groupsIn).reduce((sum, each) => sum + each, 0),
    files: readdirSync(tmpdir()).length,
    ...(await readDocker()),
  };
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // it has ended meanwhile
  }
}

function groupsIn(name: string): number {
  const folder = path.join('/sys/fs/cgroup', name);
  return existsSync(folder)
    ? readdirSync(folder).filter((each) => each.startsWith(`cairn-${process.pid}-`)).length
    : 0;
}

async function readDocker(): Promise<Pick<Leftovers, 'containers' | 'volumes'>> {
  using daemon = await connect(process.env['DOCKER_HOST'], 10_000).catch(() => undefined);
  if (daemon === undefined) return { containers: 0, volumes: 0 };
  const filters = { label: [ownerLabel] };
  const containers = await daemon.ask('list containers', (docker) =>
    docker.listContainers({ all: true, filters }),
  );
  const { Volumes } = await daemon.ask('list volumes', (docker) => docker.listVolumes({ filters }));
  const ours = (all: readonly { readonly Labels?: Readonly<Record<string, string>> | null }[]): number =>
    all.filter(({ Labels }) => Labels?.[ownerLabel]?.includes(` ${process.pid} `) === true).length;
  return { containers: ours(containers), volumes: ours(Volumes ?? []) };
}
