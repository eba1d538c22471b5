import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { boundaryNow, UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { readUserFile } from '../../envs/core/user-file.ts';

/** An action of the file, and its location. */
interface ActionLine {
  readonly where: string;
  readonly value: unknown;
}

/**
 * Reads the actions of a file: one per line as text, as a player would write it, or a JSON array. Values that
 * match the env's action schema are used directly. Text is parsed by the env, so that errors come from the
 * env.
 */
export async function readActions(
  file: string,
  definition: Pick<AnyEnvDefinition, 'id' | 'action' | 'text'>,
): Promise<readonly unknown[]> {
  const text = await readUserFile(file, {
    where: `--actions ${file}`,
    fix: 'Give a file with one action per line, as text, or a JSON array of actions.',
  });
  const written = arrayIn(text, file) ?? linesOf(text, file);
  if (written.length === 0)
    throw new UsageError({
      where: `--actions ${file}`,
      what: 'it contains no action.',
      fix: 'Write one action per line, as text, or a JSON array of actions.',
    });
  return written.map((each) => actionOf(each, definition));
}

/** The elements if the whole file is a JSON array; text may begin with a bracket too. */
function arrayIn(text: string, file: string): readonly ActionLine[] | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return Array.isArray(value)
    ? value.map((each: unknown, index) => ({ where: `--actions ${file}, action ${index + 1}`, value: each }))
    : undefined;
}

const linesOf = (text: string, file: string): readonly ActionLine[] =>
  text
    .split(/\r?\n/)
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [{ where: `--actions ${file}, line ${index + 1}`, value: line.trim() }],
    );

function actionOf(
  { where, value }: ActionLine,
  { id, action, text }: Pick<AnyEnvDefinition, 'id' | 'action' | 'text'>,
): unknown {
  if (typeof value !== 'string') {
    const flaw = action.safeParse(value);
    if (flaw.success) return value;
    throw new UsageError({
      where,
      what: `it does not match the action schema of the environment: ${describeIssues(flaw.error)}.`,
      fix: 'Follow the schema, or write the action as text.',
    });
  }
  const reply = boundaryNow(
    (message) => ({ kind: 'env-crashed', where: `${id}.text.parse`, message }),
    () => text.parse(value),
  );
  if (reply.kind === 'action') return reply.action;
  throw new UsageError({
    where,
    what: `the environment cannot parse it: ${reply.why.replace(/\.$/, '')}.`,
    fix: 'Write it as a player would, or as JSON in an array.',
  });
}
