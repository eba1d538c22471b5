/** Bytes of a page, which is the least that a file takes of a file system in memory. */
export const pageBytes = 4096;

/** Files that even the smallest sandbox may hold. */
export const fewestFiles = 1024;

/** Files that may be there in so many bytes: one for each page, and some. */
export const filesIn = (bytes: number): number => fewestFiles + Math.floor(bytes / pageBytes);

/** Folders of the sandbox's own. */
const ownFolders = 8;

/** The least limit on files that holds those of these sizes; folders are files of no bytes. */
export function bytesInPages(sizes: readonly number[]): number {
  const pages = sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / pageBytes), 0);
  return pageBytes * Math.max(pages, sizes.length + ownFolders - fewestFiles);
}
