import { workFolder } from '../program-words.ts';

/**
 * Shell that opens the work folder to the sandbox's own user, who owns it. A program may take every right on it away, and must not make its
 * sandbox look failed by that. In the ordinary case built-in words look, and nothing is started. The folder is where a volume is mounted on
 * a root that cannot be written: no program can put a link in its place.
 */
export const openWorkFolder = `[ -r ${workFolder} ] && [ -w ${workFolder} ] && [ -x ${workFolder} ] || chmod u+rwx ${workFolder} 2>/dev/null`;

/** Why it cannot be entered all the same: only what runs at that moment, in a conversation or another call, can have closed it again. */
export const workFolderClosed = 'a concurrent program keeps the work folder inaccessible';
