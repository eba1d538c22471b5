import { RunError } from '../../envs/core/errors.ts';

/**
 * Detects a process that ends before its command, because code of an env called `process.exit` or because
 * nothing is pending. It must not end silently with the exit code of success.
 *
 * @param options.source usually `process`, whose `exit` event allows only synchronous work
 * @param options.where the current work
 * @param options.onExit receives the error to print
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
        ? 'the process ended before the command did: it waited for something that can never happen.'
        : `code that it ran ended the process with process.exit (${caller}).`;
    const fix =
      caller === undefined
        ? 'Fix the environment: every promise that it returns must be resolved or rejected.'
        : 'Fix that code: an environment must throw errors and never end the process.';
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
