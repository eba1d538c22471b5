import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { RunError } from '../../envs/core/errors.ts';
import type { CommandContext } from '../command.ts';
import { commandName } from '../program/command-name.ts';

/** Trains in a process of its own, which is interrupted when this one is. @throws RunError with what it said, where it fails */
export async function trainInChild(
  words: readonly string[],
  { signal, environment }: Pick<CommandContext, 'signal' | 'environment'>,
): Promise<void> {
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  const child = spawn(process.execPath, [main, ...words, '--quiet'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: environment,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-4_000)));
  const interrupt = (): void => void child.kill('SIGINT');
  signal.addEventListener('abort', interrupt, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) =>
      child.on('error', reject).on('close', resolve),
    );
    signal.throwIfAborted();
    if (code === 0) return;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
  throw new RunError({
    where: `${commandName} ${words.join(' ')}`,
    what: `it failed: ${said.trim().replace(/^error: /, '') || 'it said nothing'}`,
    fix: 'Fix that, and give the same command again: what is finished is not trained again.',
  });
}
