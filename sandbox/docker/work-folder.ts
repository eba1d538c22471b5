import { workFolder } from '../program-words.ts';

/**
 * A shell command that gives the sandbox's user, who owns the work folder, access to it again. A program may
 * remove every right on it, which must not make the sandbox look failed. In the ordinary case built-in
 * commands check it, and nothing is started. The folder is the mount point of a volume on a read-only root,
 * so no program can replace it by a link.
 */
export const openWorkFolder = `[ -r ${workFolder} ] && [ -w ${workFolder} ] && [ -x ${workFolder} ] || chmod u+rwx ${workFolder} 2>/dev/null`;

/**
 * Why it still cannot be entered: only something that runs at that moment, in a conversation or another call,
 * can have closed it again.
 */
export const workFolderClosed = 'a concurrent program keeps the work folder inaccessible';
