import { AsyncLocalStorage, createHook, type AsyncHook } from 'node:async_hooks';

/**
 * Knows which timers were started on account of the work it surrounds. A mere count of the process's timers would take
 * those of others for the env's: a server or a test runner beside the check starts and ends its own at any moment.
 */
export class TimerWatch {
  readonly #scope = new AsyncLocalStorage<object>();
  readonly #started = new Map<number, Noted>();
  /** Of the work since the last start: what earlier work set going, and goes on, was made once and is no leak. */
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

  /** Does the work; whatever it calls, now or in a later callback, belongs to it. */
  surround<T>(work: () => T): T {
    return this.#watches ? this.#scope.run(this.#work, work) : work();
  }

  /** Notes from now on, until `stop`, the timers that the surrounded work starts. It makes all asynchronous work slower. */
  start(): void {
    this.#started.clear();
    this.#work = {};
    this.#closed = false;
    this.#watches = true;
    this.#hook.enable();
  }

  /** Says that the work is over, and everything closed: a timer that starts from now on is one too many. */
  close(): void {
    this.#closed = true;
  }

  /** Ends the notes, and with them what made asynchronous work slower. */
  stop(): void {
    this.#watches = false;
    this.#hook.disable();
    this.#scope.disable();
    forgetEndsOfPromises();
  }

  /**
   * How many of the timers that were noted have neither ended nor been cleared. One that runs once and does not keep the process alive
   * goes by itself, unless it was set after everything was closed, as by one that sets itself anew; one that repeats runs on for as long
   * as anything else does.
   */
  get left(): number {
    return [...this.#started.values()].filter(isLeft).length;
  }

  /** Whether timers are under way that go by themselves, if they set no others. */
  get isWaiting(): boolean {
    return [...this.#started.values()].some((noted) => !isLeft(noted));
  }
}

/**
 * A hook with `destroy` has Node watch the end of every promise, which makes all asynchronous work several times slower, and Node looks
 * anew at whether any hook still asks for it only when another is enabled: disabling the one that asked does not end it.
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

/** Node shows the milliseconds between two runs of an interval under that name alone: `null` for a timer that runs once. */
const repeats = (timer: object): boolean => '_repeat' in timer && typeof timer._repeat === 'number';

const isTimer = (resource: object): resource is NodeJS.Timeout => 'hasRef' in resource;
