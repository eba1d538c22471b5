import { setImmediate } from 'node:timers';

/** How often the event loop turns meanwhile, kept turning as Dawn keeps it while it waits for a GPU. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return turns;
}
