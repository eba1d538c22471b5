import { accessSync, constants, existsSync, readFileSync } from 'node:fs';

const usualPlaces: readonly string[] = ['/usr/local/bin/bwrap', '/usr/bin/bwrap', '/bin/bwrap'];

/** The path of an executable bwrap; undefined where there is none. */
export const findBubblewrap = (places = usualPlaces): string | undefined => places.find(isExecutable);

/** Why bwrap cannot be used and how to fix that; undefined where it can. */
export function whyNoBubblewrap(places = usualPlaces): string | undefined {
  if (findBubblewrap(places) !== undefined) return undefined;
  const closed = places.find((file) => existsSync(file));
  return closed === undefined
    ? 'bwrap is not installed: `npm run provision` (Debian), or the package bubblewrap'
    : `${closed} exists but is not executable: ${fixOfClosed(closed)}`;
}

/** How to make an existing program executable. */
export const fixOfClosed = (file: string): string =>
  `as root, \`chmod 755 ${file}\`; where it lies on a file system without exec, install it elsewhere`;

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Kernel settings that disable user namespaces: the value that disables them, and the value that enables
 * them.
 */
const closing = [
  { name: 'kernel.unprivileged_userns_clone', closed: '0', open: '1' },
  { name: 'kernel.apparmor_restrict_unprivileged_userns', closed: '1', open: '0' },
  { name: 'user.max_user_namespaces', closed: '0', open: '10000' },
] as const;

/** The value of a kernel setting; undefined where the kernel does not have it. */
type ReadSetting = (name: string) => string | undefined;

const readSetting: ReadSetting = (name) => {
  try {
    return readFileSync(`/proc/sys/${name.replaceAll('.', '/')}`, 'utf8').trim();
  } catch {
    return undefined;
  }
};

/**
 * How to fix a bwrap, or a program around it, that does not start programs.
 *
 * @param said the message of the trial
 */
export function fixOfRefusal(said: string, read = readSetting): string {
  if (/unknown option/i.test(said)) return 'install bubblewrap 0.8 or newer, or use docker';
  if (/failed to execute|exec format error|loading shared libraries/i.test(said))
    return 'reinstall the package bubblewrap for this machine, or use docker';
  const setting = closing.find(({ name, closed }) => read(name) === closed);
  if (setting !== undefined)
    return `user namespaces are off here (${setting.name} is ${setting.closed}); as root, \`sysctl -w ${setting.name}=${setting.open}\` turns them on, or use docker`;
  return 'in a container, allow it to create user namespaces (Docker: --security-opt seccomp=unconfined --security-opt systempaths=unconfined), or use docker';
}
