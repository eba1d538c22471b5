import { AsyncLocalStorage, createHook, type AsyncHook } from 'node:async_hooks';

/**
 * Knows which timers were started on account of the work it surrounds. A mere count of the process's timers would take
 * those of others for the env's: a server or a test runner beside the check starts and ends its own at any moment.
 */
export class TimerWatch {
  readonly #scope = new AsyncLocalStorage<TimerWatch>();
  readonly #started = new Map<number, NodeJS.Timeout>();
  readonly #hook: AsyncHook = createHook({
    init: (id, type, _trigger, resource) => {
      if (type === 'Timeout' && isTimer(resource) && this.#scope.getStore() === this) this.#started.set(id, resource);
    },
    destroy: (id) => void this.#started.delete(id),
  });

  /** Does the work; whatever it calls, now or in a later callback, belongs to it. */
  surround<T>(work: () => T): T {
    return this.#scope.run(this, work);
  }

  /** Notes from now on, until `stop`, the timers that the surrounded work starts. It makes all asynchronous work slower. */
  start(): void {
    this.#started.clear();
    this.#hook.enable();
  }

  stop(): void {
    this.#hook.disable();
  }

  /**
   * How many of the timers that were noted have neither ended nor been cleared. One that runs once and does not keep the process alive
   * goes by itself; one that repeats runs on for as long as anything else does.
   */
  get left(): number {
    return [...this.#started.values()].filter((timer) => timer.hasRef() || repeats(timer)).length;
  }
}

/** Node shows the milliseconds between two runs of an interval under that name alone: `null` for a timer that runs once. */
const repeats = (timer: object): boolean => '_repeat' in timer && typeof timer._repeat === 'number';

const isTimer = (resource: object): resource is NodeJS.Timeout => 'hasRef' in resource;
