import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf, RunError } from '../../envs/core/errors.ts';
import { sleep } from '../../envs/core/waiting.ts';

/** How a driver tells of a GPU that is gone. */
export interface LostDevice {
  readonly reason: string;
  readonly message: string;
}

/** How long a failure waits to be told what it comes from: the driver says of the loss, and of what failed by it, in no fixed order. */
const graceMs = 100;

/** Listens to whether the device behind a backend is still there and does what it is told, and names what is wrong in whatever fails by it. */
export class DeviceLoss {
  #error: RunError | undefined;
  readonly #waiting = new Set<(error: RunError) => void>();

  /**
   * @param where of the errors, such as `backend webgpu`
   * @param lost settled when the device is lost, never before
   */
  constructor(where: string, lost: Promise<LostDevice>) {
    lost.then(
      (device) => this.#tell(deviceLost(where, device)),
      (thrown: unknown) => this.#tell(deviceLost(where, { reason: '', message: messageOf(thrown) })),
    );
  }

  /** Something that it was told to do has failed: whatever it computes from now on is not to be trusted. Its loss counts more. */
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

  /** Does what waits for the device. Where that is lost meanwhile, it fails at once, whether or not the driver ever answers. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.assertPresent();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.add(reject);
      const leave = (): void => void this.#waiting.delete(reject);
      work().then(
        async (made) => {
          await nextTurn(); // in which a driver tells of what it could not do before
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
    what: `the GPU is gone${said === '' ? '' : ` (${said})`}, and with it all that was in its memory; the weights in the last checkpoint are whole.`,
    fix: 'See to the GPU and its driver, then begin again: a training goes on from its last checkpoint with `cairn train --resume RUN`. Where its memory was full, use smaller batches.',
  });
}
