import { findBackendFactory, setBackend } from '@tensorflow/tfjs-core';
import { messageOf } from '../../envs/core/errors.ts';
import type { DeviceLoss } from './device-loss.ts';

/** How an attempt to start a backend came out. */
export type BackendStart =
  | {
      readonly kind: 'started';
      readonly summary: string;
      readonly notes: readonly string[];
      readonly hardware: 'gpu' | 'processor' | 'software-gpu';
      /** Of the device that it runs on, where that can be lost. */
      readonly loss?: DeviceLoss;
    }
  | {
      readonly kind: 'unavailable';
      readonly reason: string;
      readonly fix: string;
      /** Whether its optional package is there: then the user installed it and should read why it does not start. */
      readonly isInstalled?: boolean;
    };

/** Makes TensorFlow.js start the registered backend; undefined when it runs, else the reason why it does not. */
export async function startRegistered(name: string): Promise<string | undefined> {
  if (await setBackend(name)) return undefined;
  try {
    await findBackendFactory(name)(); // setBackend keeps the reason to itself
    return 'TensorFlow.js could not start it.';
  } catch (thrown) {
    return messageOf(thrown);
  }
}
