import { failed } from '../faults.ts';
import type { Counts } from '../until-stopped.ts';
import type { DockerSettings } from './options.ts';

/**
 * The main program of a container. It runs as its own user, whom programs can neither signal nor trace. It
 * answers each line with the counts of the kernel. It uses built-in commands of the shell alone, so that it
 * works when no process can be started any more. It ends when its stdin ends, because this process is gone,
 * and the container ends with it. It also ends when it has received no `beat` for a long time, because the
 * daemon is gone.
 */
const monitorScript = `
silence=$1
value() { n=; while read -r key word; do [ "$key" = "$1" ] && n=$word; done <"$2"; }
value NoNewPrivs: /proc/self/status; privileges=$n
value Seccomp: /proc/self/status; filter=$n
value CapBnd: /proc/self/status; capabilities=$n
( trap 'heard=yes' USR1; while :; do heard=no; sleep "$silence"; [ $heard = yes ] || kill -KILL $$; done ) &
listener=$!
echo "ready $privileges $filter $capabilities"
g=/sys/fs/cgroup
while read -r line; do
  case $line in
    beat) kill -USR1 $listener; continue ;;
    room) stat -f -c '%a %d' /work; continue ;;
  esac
  strangers=0
  for process in /proc/[0-9]*; do [ -O "$process" ] || [ ! -d "$process" ] || strangers=$((strangers + 1)); done
  if [ -r $g/cpu.stat ]; then
    value usage_usec $g/cpu.stat; used=\${n}us
    value oom_kill $g/memory.events; killed=$n
    value max $g/pids.events; refused=$n
  else
    read -r used <$g/cpuacct/cpuacct.usage; used=\${used}ns
    killed=0; [ ! -r $g/memory/memory.oom_control ] || { value oom_kill $g/memory/memory.oom_control; killed=$n; }
    refused=0; [ ! -r $g/pids/pids.events ] || { value max $g/pids/pids.events; refused=$n; }
  fi
  echo "$strangers $used $killed $refused"
done
`;

/**
 * Processes of a container besides its programs: its init, the timer of its lifetime, its monitor, the
 * listener for beats, and the process that the listener waits with.
 */
export const ownProcesses = 5;

/** The command line of the monitor. */
export const monitorCommand = (settings: DockerSettings): string[] => {
  const [lifetime, silence] = [settings.lifetimeMs, settings.silenceMs].map((ms) =>
    String(Math.ceil(ms / 1000)),
  );
  return ['timeout', '-s', 'KILL', lifetime ?? '', 'sh', '-c', monitorScript, 'sh', silence ?? ''];
};

/** The counts of the kernel for a container so far. */
export interface Reading extends Counts {
  /** The current number of processes of programs. */
  readonly processes: number;
}

/**
 * Parses the monitor's counts.
 *
 * @throws FaultError when the runtime hides the counts from its containers
 */
export function readingOf(line: string): Reading {
  const [, processes, used, unit, memoryKills, refusedForks] =
    /^(\d+) (\d+)(us|ns) (\d+) (\d+)$/.exec(line) ?? [];
  if (processes === undefined || used === undefined)
    throw failed(
      'open',
      `its container tells nothing of what it uses (${JSON.stringify(line)}): this runtime cannot be held to limits`,
    );
  return {
    processes: Number(processes),
    cpuMs: Number(used) / (unit === 'ns' ? 1e6 : 1e3),
    memoryKills: Number(memoryKills),
    refusedForks: Number(refusedForks),
  };
}

/** Whether there is room for another file, by the answer to `room`: free blocks and free files. */
export const hasRoom = (line: string): boolean => !/^0 |^\d+ 0$/.test(line);

/**
 * Checks that the container is confined as requested.
 *
 * @throws FaultError when it is not
 */
export function assertConfined(line: string, ownKernel: boolean): void {
  const [, privileges, filter, capabilities] = /^ready (\d*) (\d*) ([0-9a-f]*)$/.exec(line) ?? [];
  const lacking: string[] = [];
  if (privileges !== '1') lacking.push('new privileges can be had');
  if (filter !== '2' && !ownKernel) lacking.push('there is no filter on system calls');
  if (!/^0+$/.test(capabilities ?? '')) lacking.push(`capabilities are left (${capabilities})`);
  if (lacking.length > 0)
    throw failed('open', `its container is not confined as it was asked to be: ${lacking.join(', ')}`);
}
