import { isRecord, isWhole, nameOf } from './result-shape.ts';

/* Validation of the shape of hosts, envs and tasks. Each function returns what is wrong in words, or undefined. */

/** The most tasks of a panel. All of them are described, hashed and held in memory before anything is played. */
export const largestPanel = 10_000_000;

/** What is wrong with a definition's `turnLimit` or with its result, which `ask` returns. */
export function flawOfTurnLimit(
  { turnLimit }: { readonly turnLimit?: unknown },
  ask: () => unknown,
): string | undefined {
  if (turnLimit !== undefined && typeof turnLimit !== 'function')
    return `it is ${nameOf(turnLimit)}, no function`;
  const limit = ask();
  return limit === undefined || (isWhole(limit) && limit > 0)
    ? undefined
    : `it gave back ${nameOf(limit)}, no whole number of steps above 0`;
}

/** What is wrong with the result of `open`. */
export function flawOfHost(value: unknown): string | undefined {
  if (!isRecord(value)) return `it gave back ${nameOf(value)}, and a host is an object`;
  const missing = flawOfMethods(value, ['describeTask', 'create', 'close']);
  if (missing !== undefined) return missing;
  const { panels, unavailablePanels, experts, audit, maxConcurrency } = value;
  if (!Array.isArray(panels)) return `its panels are ${nameOf(panels)}, no array`;
  for (const [index, panel] of panels.entries()) {
    const flaw = flawOfPanel(panel);
    if (flaw !== undefined) return `panels[${index}] ${flaw}`;
  }
  if (
    unavailablePanels !== undefined &&
    (!Array.isArray(unavailablePanels) || !unavailablePanels.every(isUnavailable))
  )
    return `its unavailable panels are ${nameOf(unavailablePanels)}, no array of objects with name, why and fix, each a text`;
  if (maxConcurrency !== undefined && (!isWhole(maxConcurrency) || maxConcurrency < 1))
    return `its maxConcurrency is ${nameOf(maxConcurrency)}, no whole number above 0`;
  if (experts !== undefined && !isRecord(experts)) return `its experts are ${nameOf(experts)}, no object`;
  return audit === undefined || isRecord(audit) ? undefined : `its audit is ${nameOf(audit)}, no object`;
}

const isUnavailable = (value: unknown): boolean =>
  isRecord(value) && ['name', 'why', 'fix'].every((key) => typeof value[key] === 'string');

function flawOfPanel(value: unknown): string | undefined {
  if (!isRecord(value)) return `is ${nameOf(value)}, no object`;
  const { name, size, purpose } = value;
  if (typeof name !== 'string') return `has the name ${nameOf(name)}, no text`;
  if (!isWhole(size) || size < 1) return `(${name}) has the size ${nameOf(size)}, no whole number above 0`;
  if (size > largestPanel)
    return `(${name}) has the size ${size}, and a panel, which is read whole, has at most ${largestPanel} tasks`;
  const known = purpose === 'train' || purpose === 'dev' || purpose === 'held-out';
  return known
    ? undefined
    : `(${name}) has the purpose ${nameOf(purpose)}, and there are "train", "dev" and "held-out"`;
}

/** What is wrong with the result of `create`. */
export function flawOfEnv(value: unknown): string | undefined {
  if (!isRecord(value)) return `it gave back ${nameOf(value)}, and an env is an object`;
  const { snapshots } = value;
  const missing = flawOfMethods(value, ['reset', 'step', 'close']);
  if (missing !== undefined || snapshots === undefined) return missing;
  return isRecord(snapshots)
    ? flawOfMethods(snapshots, ['take', 'restore'])
    : `its snapshots are ${nameOf(snapshots)}, no object`;
}

/** What is wrong with the result of `describeTask`. */
export function flawOfTask(value: unknown): string | undefined {
  if (!isRecord(value)) return `it gave back ${nameOf(value)}, and a task is an object`;
  const { family, instruction, content } = value;
  if (typeof family !== 'string') return `its family is ${nameOf(family)}, no text`;
  if (instruction !== undefined && typeof instruction !== 'string')
    return `its instruction is ${nameOf(instruction)}, no text`;
  return content === undefined ? 'it has no content' : undefined;
}

function flawOfMethods(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  const missing = names.find((name) => typeof value[name] !== 'function');
  return missing === undefined ? undefined : `its ${missing} is ${nameOf(value[missing])}, no function`;
}
