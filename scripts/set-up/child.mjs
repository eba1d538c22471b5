import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** @type {readonly NodeJS.Signals[]} */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program in the clone's folder with its output on our stderr, and rejects unless it exits with 0. A signal that asks us
 * to stop goes to the program, so that none is left behind.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<void>}
 */
export function runChild(program, words, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: root,
      env,
      stdio: ['ignore', process.stderr, process.stderr],
    });
    /** @param {NodeJS.Signals} signal */
    const passOn = (signal) => void child.kill(signal);
    for (const signal of stopSignals) process.on(signal, passOn);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of stopSignals) process.off(name, passOn);
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `${program} ${words.join(' ')} ended with ${signal ?? `exit code ${code}`}. Its own words stand above.`,
          ),
        );
    });
  });
}
