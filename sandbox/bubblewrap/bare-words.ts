/** The user id of programs inside: nobody. */
export const nobody = 65534;

const links = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/**
 * Arguments of bwrap for an empty surrounding: new namespaces of all kinds, no capabilities, no environment,
 * and no files but those of the system.
 */
export const bareWords: readonly string[] = [
  '--unshare-all',
  '--uid',
  String(nobody),
  '--gid',
  String(nobody),
  '--cap-drop',
  'ALL',
  '--new-session',
  '--die-with-parent',
  '--hostname',
  'sandbox',
  '--clearenv',
  '--ro-bind',
  '/usr',
  '/usr',
  ...links.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
];

/**
 * Arguments of bwrap for the plain devices without pseudo-terminals. The kernel counts pseudo-terminals for
 * the whole machine, so one program could use up those of all sandboxes. `/dev/ptmx` is a link into the
 * folder that is covered.
 */
export const deviceWords: readonly string[] = [
  '--dev',
  '/dev',
  '--tmpfs',
  '/dev/pts',
  '--remount-ro',
  '/dev/pts',
];
