/** Bytes of a page, the least that a file takes in a file system in memory. */
export const pageBytes = 4096;

/** The number of files that even the smallest sandbox may have. */
export const fewestFiles = 1024;

/** The number of files allowed within a limit of bytes: one per page, plus the minimum. */
export const filesIn = (bytes: number): number => fewestFiles + Math.floor(bytes / pageBytes);

/** Folders that the sandbox itself makes. */
const ownFolders = 8;

/**
 * The lowest limit on files, in bytes, that files of these sizes fit into. A folder counts as a file of 0
 * bytes.
 */
export function bytesInPages(sizes: readonly number[]): number {
  const pages = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / pageBytes), 0);
  return pageBytes * Math.max(pages, sizes.length + ownFolders - fewestFiles);
}
