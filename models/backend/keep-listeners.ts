import { AsyncLocalStorage } from 'node:async_hooks';

type Listener = (...given: unknown[]) => void;

/** Events by which a process hears of errors that nobody caught. */
const errorEvents = ['uncaughtException', 'unhandledRejection'] as const;

/**
 * Runs `start` and removes every listener of uncaught errors that it, or what it waits for, adds to the
 * process. WebAssembly modules made by Emscripten add such listeners. They rethrow every error and prevent
 * its report. Listeners that others add meanwhile stay: the asynchronous context shows who added one, not the
 * time.
 * @param source usually `process`
 */
export async function keepErrorListeners<T>(
  source: NodeJS.EventEmitter,
  start: () => Promise<T>,
): Promise<T> {
  const inside = new AsyncLocalStorage<true>();
  const added: { readonly event: string | symbol; readonly listener: Listener }[] = [];
  const note = (event: string | symbol, listener: Listener): void => {
    if (inside.getStore() === true && errorEvents.some((name) => name === event))
      added.push({ event, listener });
  };
  source.on('newListener', note);
  try {
    return await inside.run(true, start);
  } finally {
    source.off('newListener', note);
    for (const { event, listener } of added) source.off(event, listener);
  }
}
