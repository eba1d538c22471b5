/** Size limits of a data file. A violation is refused during reading, before it is held in memory. */
export interface FileLimits {
  /** One item of a list, or one entry of an object. */
  readonly itemBytes: number;
  /** The nesting of brackets, including those of the whole file. */
  readonly depth: number;
  /** The whole file after decompression. */
  readonly fileBytes: number;
}

const mebibyte = 1 << 20;

/** The published catalogue has 5.2 GB. Its largest items are far below a mebibyte. */
export const productFileLimits: FileLimits = {
  itemBytes: 16 * mebibyte,
  depth: 32,
  fileBytes: 65_536 * mebibyte,
};

/** The published attributes have 178 MB. They are held in memory while the catalogue is read. */
export const attributeFileLimits: FileLimits = {
  itemBytes: mebibyte,
  depth: 16,
  fileBytes: 2_048 * mebibyte,
};

/** The published instructions have 5 MB. Those of the catalogue's products are held in memory. */
export const instructionFileLimits: FileLimits = {
  itemBytes: 4 * mebibyte,
  depth: 16,
  fileBytes: 512 * mebibyte,
};
