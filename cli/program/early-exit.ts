import { RunError } from '../../envs/core/errors.ts';

/**
 * Watches over a command that has not come to its end: a process that ends all the same, because code of an env called
 * `process.exit` or because nothing is left that could go on, must not end in silence and with the exit code of success.
 *
 * @param options.source usually `process`, whose `exit` event leaves time for synchronous work only
 * @param options.where what is under way
 * @param options.onExit is given the error to say
 */
export function listenForEarlyExit(options: {
  readonly source: NodeJS.EventEmitter;
  readonly where: string;
  readonly onExit: (error: RunError) => void;
}): Disposable {
  const { source, where, onExit } = options;
  const onEnd = (): void => {
    const caller = callerOfExit();
    const what =
      caller === undefined
        ? 'the process ended before the command did: what it waited for can never come.'
        : `code that it ran ended the process with process.exit (${caller}).`;
    const fix =
      caller === undefined
        ? 'Fix the environment: every promise that it gives has to be settled.'
        : 'Fix that code: an environment throws what is wrong, and leaves the process alone.';
    onExit(new RunError({ where, what, fix: `${fix} Nothing that was written before is lost.` }));
  };
  source.on('exit', onEnd);
  return { [Symbol.dispose]: () => void source.off('exit', onEnd) };
}

/** Where `process.exit` was called, such as `at step (/home/me/maze.ts:31:15)`; undefined where nobody called it. */
function callerOfExit(): string | undefined {
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const frames = (new Error('exit').stack ?? '').split('\n').slice(1);
  Error.stackTraceLimit = depth;
  const call = frames.findIndex((frame) => /\bprocess\.(?:exit|reallyExit)\b/.test(frame));
  if (call < 0) return undefined;
  return (frames.slice(call + 1).find((frame) => !frame.includes('node:')) ?? frames[call])?.trim();
}
