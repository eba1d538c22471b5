/** How much a data file may ask for. What passes a limit is refused while it is read, before it is held in memory. */
export interface FileLimits {
  /** One item of a list, or one entry of an object. */
  readonly itemBytes: number;
  /** Brackets within brackets, those of the whole file included. */
  readonly depth: number;
  /** The whole file, after decompression. */
  readonly fileBytes: number;
}

const mebibyte = 1 << 20;

/** The published catalogue has 5.2 GB, and its largest items are far below a mebibyte. */
export const productFileLimits: FileLimits = {
  itemBytes: 16 * mebibyte,
  depth: 32,
  fileBytes: 65_536 * mebibyte,
};

/** The published attributes have 178 MB; they are held in memory while the catalogue is read. */
export const attributeFileLimits: FileLimits = {
  itemBytes: mebibyte,
  depth: 16,
  fileBytes: 2_048 * mebibyte,
};

/** The published instructions have 5 MB; those of the catalogue's products are held in memory. */
export const instructionFileLimits: FileLimits = {
  itemBytes: 4 * mebibyte,
  depth: 16,
  fileBytes: 512 * mebibyte,
};
