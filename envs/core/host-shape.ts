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
    return `it must be a function, not ${nameOf(turnLimit)}`;
  const limit = ask();
  return limit === undefined || (isWhole(limit) && limit > 0)
    ? undefined
    : `the limit must be an integer of at least 1, not ${nameOf(limit)}`;
}

/** What is wrong with the result of `open`. */
export function flawOfHost(value: unknown): string | undefined {
  if (!isRecord(value)) return `it returned ${nameOf(value)}, but a host must be an object`;
  const missing = flawOfMethods(value, ['describeTask', 'create', 'close']);
  if (missing !== undefined) return missing;
  const { panels, unavailablePanels, experts, audit, maxConcurrency } = value;
  if (!Array.isArray(panels)) return `its panels must be an array, not ${nameOf(panels)}`;
  for (const [index, panel] of panels.entries()) {
    const flaw = flawOfPanel(panel);
    if (flaw !== undefined) return `panels[${index}] ${flaw}`;
  }
  if (
    unavailablePanels !== undefined &&
    (!Array.isArray(unavailablePanels) || !unavailablePanels.every(isUnavailable))
  )
    return `its unavailablePanels must be an array of objects with name, why and fix, each a string, not ${nameOf(unavailablePanels)}`;
  if (maxConcurrency !== undefined && (!isWhole(maxConcurrency) || maxConcurrency < 1))
    return `its maxConcurrency must be an integer of at least 1, not ${nameOf(maxConcurrency)}`;
  if (experts !== undefined && !isRecord(experts))
    return `its experts must be an object, not ${nameOf(experts)}`;
  const baseline = flawOfBaselines(experts?.['baselines']);
  if (baseline !== undefined) return baseline;
  return audit === undefined || isRecord(audit)
    ? undefined
    : `its audit must be an object, not ${nameOf(audit)}`;
}

function flawOfBaselines(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (!isRecord(value)) return `its experts.baselines must be an object, not ${nameOf(value)}`;
  for (const [name, one] of Object.entries(value))
    if (!isRecord(one) || typeof one['summary'] !== 'string' || typeof one['play'] !== 'function')
      return `experts.baselines[${JSON.stringify(name)}] must be an object with a string summary and a function play, not ${nameOf(one)}`;
  return undefined;
}

const isUnavailable = (value: unknown): boolean =>
  isRecord(value) && ['name', 'why', 'fix'].every((key) => typeof value[key] === 'string');

function flawOfPanel(value: unknown): string | undefined {
  if (!isRecord(value)) return `must be an object, not ${nameOf(value)}`;
  const { name, size, purpose } = value;
  if (typeof name !== 'string') return `must have a string as name, not ${nameOf(name)}`;
  if (!isWhole(size) || size < 1)
    return `(${name}) must have an integer of at least 1 as size, not ${nameOf(size)}`;
  if (size > largestPanel)
    return `(${name}) has the size ${size}, but a panel is read as a whole and may have at most ${largestPanel} tasks`;
  const known = purpose === 'train' || purpose === 'dev' || purpose === 'held-out';
  return known
    ? undefined
    : `(${name}) must have the purpose "train", "dev" or "held-out", not ${nameOf(purpose)}`;
}

/** What is wrong with the result of `create`. */
export function flawOfEnv(value: unknown): string | undefined {
  if (!isRecord(value)) return `it returned ${nameOf(value)}, but an env must be an object`;
  const { snapshots } = value;
  const missing = flawOfMethods(value, ['reset', 'step', 'close']);
  if (missing !== undefined || snapshots === undefined) return missing;
  return isRecord(snapshots)
    ? flawOfMethods(snapshots, ['take', 'restore'])
    : `its snapshots must be an object, not ${nameOf(snapshots)}`;
}

/** What is wrong with the result of `describeTask`. */
export function flawOfTask(value: unknown): string | undefined {
  if (!isRecord(value)) return `it returned ${nameOf(value)}, but a task must be an object`;
  const { family, category, instruction, content } = value;
  if (category !== undefined && typeof category !== 'string')
    return `its category must be a string, not ${nameOf(category)}`;
  if (typeof family !== 'string') return `its family must be a string, not ${nameOf(family)}`;
  if (instruction !== undefined && typeof instruction !== 'string')
    return `its instruction must be a string, not ${nameOf(instruction)}`;
  return content === undefined ? 'it has no content' : undefined;
}

function flawOfMethods(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  const missing = names.find((name) => typeof value[name] !== 'function');
  return missing === undefined
    ? undefined
    : `its ${missing} must be a function, not ${nameOf(value[missing])}`;
}
