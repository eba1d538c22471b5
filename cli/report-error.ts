import { describeFault, FaultError, firstCause, messageOf, RunError, UsageError } from '../envs/core/errors.ts';
import { Interruption } from './interruption.ts';

/** How an error ends a command: a document for `--json`, a paragraph for people, and the exit code. */
export interface ErrorReport {
  readonly document: {
    readonly error: {
      readonly kind: 'usage' | 'run' | 'fault' | 'interrupted' | 'unexpected';
      readonly message: string;
      readonly where?: string;
      readonly what?: string;
      readonly mend?: string;
    };
  };
  readonly paragraph: string;
  readonly exitCode: number;
}

/**
 * Of what failed while something else that had failed was put away, the first is told.
 * @param options.stack adds the stack of what nobody expected, for those who mend Cairn
 */
export function reportError(thrown: unknown, options: { readonly stack: boolean }): ErrorReport {
  return reportOne(firstCause(thrown), options);
}

function reportOne(thrown: unknown, options: { readonly stack: boolean }): ErrorReport {
  if (UsageError.is(thrown)) return known('usage', thrown, 2);
  if (RunError.is(thrown)) return known('run', thrown, 1);
  if (thrown instanceof Interruption) {
    return { document: { error: { kind: 'interrupted', message: thrown.message } }, paragraph: thrown.message, exitCode: thrown.exitCode };
  }
  if (FaultError.is(thrown)) {
    const message = describeFault(thrown.fault);
    return { document: { error: { kind: 'fault', message } }, paragraph: `The world failed: ${message.replace(/\.$/, '')}.`, exitCode: 1 };
  }
  return unexpected(thrown, options.stack);
}

function known(kind: 'usage' | 'run', error: UsageError | RunError, exitCode: number): ErrorReport {
  return { document: { error: { kind, message: error.message, ...error.parts } }, paragraph: error.message, exitCode };
}

function unexpected(thrown: unknown, stack: boolean): ErrorReport {
  const message = messageOf(thrown);
  const detail = stack && thrown instanceof Error ? `\n${thrown.stack ?? ''}` : '';
  const hint = stack ? '' : ' CAIRN_DEBUG=1 shows where.';
  return {
    document: { error: { kind: 'unexpected', message } },
    paragraph: `Something unexpected went wrong: ${message.replace(/\.$/, '')}.${hint}${detail}`,
    exitCode: 1,
  };
}
