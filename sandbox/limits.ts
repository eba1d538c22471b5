import { UsageError } from '../envs/core/errors.ts';
import type { Limits } from './sandbox.ts';

/** The sandbox's limits with some of them lowered. */
export function narrow(limits: Limits, wanted: Partial<Limits>): Limits {
  for (const name of Object.keys(wanted) as (keyof Limits)[]) {
    const value = wanted[name];
    if (value === undefined || value <= limits[name]) continue;
    throw new UsageError({
      where: `limit ${name} of a program`,
      what: `${value} is more than the sandbox's own ${limits[name]}.`,
      mend: 'Open the sandbox with the wider limit.',
    });
  }
  return { ...limits, ...wanted };
}
