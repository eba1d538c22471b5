import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf, RunError } from '../../envs/core/errors.ts';
import { sleep } from '../../envs/core/waiting.ts';

/** A driver's report that a GPU was lost. */
export interface LostDevice {
  readonly reason: string;
  readonly message: string;
}

/**
 * How long a failure waits for its cause: the driver reports the loss and the failures that it caused in no
 * fixed order.
 */
const graceMs = 100;

/** Monitors whether the device of a backend still exists and works, and names the cause in every failure. */
export class DeviceLoss {
  #error: RunError | undefined;
  readonly #waiting = new Set<(error: RunError) => void>();

  /**
   * @param where place in errors, such as `backend webgpu`
   * @param lost resolves when the device is lost, never before
   */
  constructor(where: string, lost: Promise<LostDevice>) {
    lost.then(
      (device) => this.#tell(deviceLost(where, device)),
      (thrown: unknown) => this.#tell(deviceLost(where, { reason: '', message: messageOf(thrown) })),
    );
  }

  /**
   * Records a failed operation of the device: later results are unreliable. A loss of the device takes
   * precedence.
   */
  fail(error: RunError): void {
    if (this.#error === undefined) this.#tell(error);
  }

  #tell(error: RunError): void {
    this.#error = error;
    for (const reject of this.#waiting) reject(error);
  }

  /** @throws RunError once the device is lost, or has failed */
  assertPresent(): void {
    if (this.#error !== undefined) throw this.#error;
  }

  /**
   * Runs work that waits for the device. If the device is lost meanwhile, it fails at once, even if the
   * driver never answers.
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.assertPresent();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      const leave = (): void => void this.#waiting.delete(reject);
      work().then(
        async (made) => {
          await nextTurn(); // in which the driver reports earlier failures
          leave();
          if (this.#error === undefined) resolve(made);
          else reject(this.#error);
        },
        async (thrown: unknown) => {
          if (this.#error === undefined) await sleep(graceMs);
          leave();
          reject(this.#error ?? (thrown as Error));
        },
      );
    });
  }
}

function deviceLost(where: string, { reason, message }: LostDevice): RunError {
  const said = [reason, message.trim().replace(/\.$/, '')].filter((part) => part !== '').join(': ');
  return new RunError({
    where,
    what: `the GPU was lost${said === '' ? '' : ` (${said})`}, and all data in its memory; the weights in the last checkpoint are complete.`,
    fix: 'Check the GPU and its driver, then start again: resume a training from its last checkpoint with `npx cairn-gym train --resume RUN`. If the memory was full, use smaller batches.',
  });
}
