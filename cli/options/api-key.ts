import { Secret } from '../../agents/servers/secret.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { usualKeyName } from '../../lab/players/kinds/openai.ts';

/**
 * Takes the key out of the environment, so that no process started later inherits it.
 * @param named the variable that the user named; the default one may be unset
 */
export function takeKey(environment: NodeJS.ProcessEnv, named: string | undefined): Secret | undefined {
  const name = named ?? usualKeyName;
  const where = named === undefined ? `environment variable ${name}` : `--key-env ${name}`;
  if (/[=\0]/.test(name) || name === '')
    throw new UsageError({
      where: '--key-env',
      what: 'it is not a valid name of an environment variable.',
      fix: 'Give the name, not the key itself.',
    });
  const text = environment[name]?.trim() ?? '';
  delete environment[name];
  if (text === '') {
    if (named === undefined) return undefined;
    throw new UsageError({
      where,
      what: 'the environment variable is not set.',
      fix: `Set it, for example with export ${name}=…, or remove --key-env.`,
    });
  }
  if (!/^[\x21-\x7e]+$/.test(text)) {
    throw new UsageError({
      where,
      what: 'the key contains blanks or characters that cannot be sent.',
      fix: 'Set the variable to the key and nothing else.',
    });
  }
  return new Secret(text, name);
}
