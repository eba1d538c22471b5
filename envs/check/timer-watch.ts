import { AsyncLocalStorage, createHook, type AsyncHook } from 'node:async_hooks';

/**
 * Finds the timers that were started by the work it surrounds. A count of the process's timers would include
 * those of others, such as a server or a test runner. These start and end at any moment.
 */
export class TimerWatch {
  readonly #scope = new AsyncLocalStorage<object>();
  readonly #started = new Map<number, Noted>();
  /** The work since the last start. Timers of earlier work were created once and are no leak. */
  #work: object = {};
  #closed = false;
  #watches = false;
  readonly #hook: AsyncHook = createHook({
    init: (id, type, _trigger, resource) => {
      if (type === 'Timeout' && isTimer(resource) && this.#scope.getStore() === this.#work)
        this.#started.set(id, { timer: resource, late: this.#closed });
    },
    destroy: (id) => void this.#started.delete(id),
  });

  /** Does the work. Everything that it calls, now or in a later callback, belongs to it. */
  surround<T>(work: () => T): T {
    return this.#watches ? this.#scope.run(this.#work, work) : work();
  }

  /**
   * Records timers that the surrounded work starts, from now until `stop`. All asynchronous work is slower
   * meanwhile.
   */
  start(): void {
    this.#started.clear();
    this.#work = {};
    this.#closed = false;
    this.#watches = true;
    this.#hook.enable();
  }

  /** Marks that everything is closed. A timer that starts after this is a leak. */
  close(): void {
    this.#closed = true;
  }

  /** Stops recording, so that asynchronous work is fast again. */
  stop(): void {
    this.#watches = false;
    this.#hook.disable();
    this.#scope.disable();
    forgetEndsOfPromises();
  }

  /**
   * The number of recorded timers that have neither ended nor been cleared. A one-shot timer that does not
   * keep the process alive ends by itself and is not counted. It is counted if it started after close, as a
   * timer that restarts itself does. A repeating timer counts.
   */
  get left(): number {
    return [...this.#started.values()].filter(isLeft).length;
  }

  /** Whether timers are pending that end by themselves, if they start no others. */
  get isWaiting(): boolean {
    return [...this.#started.values()].some((noted) => !isLeft(noted));
  }
}

/**
 * A hook with `destroy` makes Node watch the end of every promise, which makes all asynchronous work several
 * times slower. Node checks whether any hook still needs this only when another hook is enabled. Disabling
 * the hook does not end it.
 */
function forgetEndsOfPromises(): void {
  createHook({ init: () => undefined })
    .enable()
    .disable();
}

interface Noted {
  readonly timer: NodeJS.Timeout;
  /** Set after everything was closed. */
  readonly late: boolean;
}

const isLeft = ({ timer, late }: Noted): boolean => timer.hasRef() || repeats(timer) || late;

/** Node stores the interval in milliseconds under this undocumented name: `null` for a one-shot timer. */
const repeats = (timer: object): boolean => '_repeat' in timer && typeof timer._repeat === 'number';

const isTimer = (resource: object): resource is NodeJS.Timeout => 'hasRef' in resource;
