import { createContext, type Context } from '../../envs/core/context.ts';
import type { Logger } from '../../envs/core/log.ts';
import type { CommandContext } from '../command.ts';

/**
 * Variables with locations of system parts. Envs get no other environment variables, because those may
 * contain keys.
 */
export const systemOf = (
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> => ({ DOCKER_HOST: environment['DOCKER_HOST'] });

/** The root context of a command: its clock, its signal and its environment variables. */
export function contextOf(
  { now, signal, environment }: CommandContext,
  { seed = 0, ...others }: { readonly seed?: number; readonly log?: Logger; readonly path?: string } = {},
): Context {
  return createContext({ seed, now, signal, system: systemOf(environment), ...others });
}
