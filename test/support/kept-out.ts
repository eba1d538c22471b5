const nobody = 65_534;

/** Does it as a user whom the modes of files and folders bind, which they do not bind root. */
export async function asKeptOut<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}
