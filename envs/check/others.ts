/** Lets the rest of the process run, which an env that computes without waiting would stop for as long as the check asks it. */
export const others = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
