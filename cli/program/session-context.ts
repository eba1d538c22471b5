import { createContext, type Context } from '../../envs/core/context.ts';
import type { Logger } from '../../envs/core/log.ts';
import type { CommandContext } from '../command.ts';

/** Variables that say where parts of the system are: all that envs hear of the environment, in which keys may stand. */
export const systemOf = (
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> => ({ DOCKER_HOST: environment['DOCKER_HOST'] });

/** The root context of a command: its clock, its signal and its view of the environment. */
export function contextOf(
  { now, signal, environment }: CommandContext,
  { seed = 0, ...others }: { readonly seed?: number; readonly log?: Logger; readonly path?: string } = {},
): Context {
  return createContext({ seed, now, signal, system: systemOf(environment), ...others });
}
