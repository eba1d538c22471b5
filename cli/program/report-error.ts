import { fileURLToPath } from 'node:url';
import {
  describeFault,
  FaultError,
  firstCause,
  messageOf,
  RunError,
  shortenForError,
  UsageError,
  type FaultKind,
} from '../../envs/core/errors.ts';
import { Interruption } from './interruption.ts';

/** How an error ends a command: a document for `--json`, a paragraph for people, and the exit code. */
export interface ErrorReport {
  readonly document: {
    readonly error: {
      readonly kind: 'usage' | 'run' | 'fault' | 'interrupted' | 'unexpected';
      readonly message: string;
      readonly where?: string;
      readonly what?: string;
      readonly fix?: string;
    };
  };
  readonly paragraph: string;
  readonly exitCode: number;
}

/**
 * If an error occurred while another one was handled, the first is reported.
 * @param options.stack adds the stack of unexpected errors, for developers of Cairn
 */
export function reportError(thrown: unknown, options: { readonly stack: boolean }): ErrorReport {
  return reportOne(firstCause(thrown), options);
}

function reportOne(thrown: unknown, options: { readonly stack: boolean }): ErrorReport {
  if (UsageError.is(thrown)) return known('usage', thrown, 2);
  if (RunError.is(thrown)) return known('run', thrown, 1);
  if (thrown instanceof Interruption) {
    return {
      document: { error: { kind: 'interrupted', message: thrown.message } },
      paragraph: thrown.message,
      exitCode: thrown.exitCode,
    };
  }
  if (FaultError.is(thrown)) {
    const message = shortenForError(describeFault(thrown.fault));
    const fix = fixes[thrown.fault.kind];
    return {
      document: {
        error: {
          kind: 'fault',
          message,
          ...('where' in thrown.fault && { where: thrown.fault.where }),
          fix,
        },
      },
      paragraph: `The world failed: ${message.replace(/\.$/, '')}. ${fix}`,
      exitCode: 1,
    };
  }
  return unexpected(thrown, options.stack);
}

/** The fix if a fault ends a command. In a run a fault belongs to an episode, and the run continues. */
const fixes: Readonly<Record<FaultKind, string>> = {
  'env-crashed': 'The error comes from the environment itself: find more with `npx cairn-gym check`.',
  'deadline-passed': 'Find what it waits for, or give it more time.',
  'task-broken': 'Fix the task, or exclude it.',
  'sandbox-failed': '`npx cairn-gym doctor` shows which sandboxes work here, and why others do not.',
  'retriever-failed': 'Check that the search engine answers, then run the command again.',
  'tool-server-failed': 'Check that the server of tools works, then run the command again.',
  'sampler-failed': 'Check that the model or server answers, then run the command again.',
};

function known(kind: 'usage' | 'run', error: UsageError | RunError, exitCode: number): ErrorReport {
  return {
    document: { error: { kind, message: error.message, ...error.parts } },
    paragraph: error.message,
    exitCode,
  };
}

function unexpected(thrown: unknown, stack: boolean): ErrorReport {
  const message = shortenForError(messageOf(thrown));
  const detail = stack && thrown instanceof Error ? `\n${thrown.stack ?? ''}` : '';
  const hint = stack ? '' : ' CAIRN_DEBUG=1 shows where.';
  const place = thrown instanceof Error ? foreignFrame(thrown) : undefined;
  const what = `went wrong: ${message.replace(/\.$/, '')}`;
  return {
    document: { error: { kind: 'unexpected', message, ...(place === undefined ? {} : { where: place }) } },
    paragraph:
      place === undefined
        ? `Something unexpected ${what}.${hint}${detail}`
        : `Code outside of Cairn ${what} (${place}). Fix it there.${hint}${detail}`,
    exitCode: 1,
  };
}

/**
 * Where the error came from, such as `at tick (/home/me/maze.ts:31:15)`, if that is a user's module and not
 * Cairn, a package or Node.
 */
function foreignFrame({ stack = '' }: Error): string | undefined {
  const own = new URL('../..', import.meta.url);
  const isForeign = (frame: string): boolean =>
    /:\d+:\d+\)?$/.test(frame) &&
    ![own.href, fileURLToPath(own), 'node:', 'node_modules'].some((place) => frame.includes(place));
  const first = stack
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))[0];
  return first !== undefined && isForeign(first) ? first : undefined;
}
