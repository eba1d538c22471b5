import type { KilledBy, Limits } from '../sandbox.ts';
import type { Usage } from './usage.ts';

/** What kills a program: a limit of its own, or its caller. */
export type Killer = KilledBy | 'caller' | 'disposal';

/** Looks at a program while it runs and says for what it is to be killed, once. */
export interface Watch extends Disposable {
  /** For what it was killed; undefined while it was not. */
  readonly killer: Killer | undefined;
  readonly kill: (by: Killer) => void;
}

const pollMs = 10;

/**
 * @param watched.usage what the program uses now
 * @param watched.cpuMsBefore processor time that does not count
 * @param watched.diskBytes bytes of files now, beyond those there were at its beginning
 */
export function watch(
  limits: Limits,
  watched: { readonly usage: () => Usage; readonly cpuMsBefore: number; readonly diskBytes: () => number; readonly kill: () => void; readonly signal: AbortSignal },
): Watch {
  let killer: Killer | undefined;
  const kill = (by: Killer): void => {
    if (killer !== undefined) return;
    killer = by;
    watched.kill();
  };
  const onAbort = (): void => kill('caller');
  watched.signal.addEventListener('abort', onAbort, { once: true });
  const wall = setTimeout(() => kill('wall'), limits.wallMs);
  const poll = setInterval(() => {
    const by = overrun(limits, watched.usage(), watched);
    if (by !== undefined) kill(by);
  }, pollMs);
  return {
    get killer(): Killer | undefined {
      return killer;
    },
    kill,
    [Symbol.dispose]: () => {
      clearTimeout(wall);
      clearInterval(poll);
      watched.signal.removeEventListener('abort', onAbort);
    },
  };
}

function overrun(limits: Limits, usage: Usage, watched: { readonly cpuMsBefore: number; readonly diskBytes: () => number }): KilledBy | undefined {
  if (usage.memoryKills > 0 || usage.memoryBytes > limits.memoryBytes) return 'memory';
  if (usage.cpuMs - watched.cpuMsBefore > limits.cpuMs) return 'cpu';
  if (usage.refusedForks > 0) return 'pids';
  if (watched.diskBytes() > limits.diskBytes) return 'disk';
  return undefined;
}
