/** Whom programs think they are: nobody. */
export const nobody = 65534;

const links = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'];

/** Words for bwrap that leave a program nothing: all namespaces of its own, no capabilities, no environment, and of files the system's alone. */
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
 * Words for bwrap that give a program the plain devices and no pseudo-terminals: the kernel counts those for the whole machine, so that one
 * program could take all that sandboxes may have. `/dev/ptmx` is a link into the folder that is covered.
 */
export const deviceWords: readonly string[] = [
  '--dev',
  '/dev',
  '--tmpfs',
  '/dev/pts',
  '--remount-ro',
  '/dev/pts',
];
