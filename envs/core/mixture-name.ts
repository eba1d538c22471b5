import { UsageError } from './errors.ts';

/** What the id of a mixture of envs begins with. */
export const mixtureScheme = 'mix:';

export const isMixtureId = (id: string): boolean => id.startsWith(mixtureScheme);

/** One env of a mixture, as it is written. */
export interface MixtureShare {
  /** An id, or a name that means the newest version. */
  readonly name: string;
  /** Its share of the tasks is this weight over the sum of all weights. */
  readonly weight: number;
}

/** The most envs of a mixture, and the greatest weight. */
const [mostEnvs, greatestWeight] = [256, 1_000_000];

const form = 'Write it as mix:household=2,game-maze=1, with a weight above 0 for each environment.';

/**
 * Parses `mix:household=2,game-maze=1`. This is the only place that reads the form.
 *
 * @throws UsageError for a missing, zero or unreadable weight, for a name that comes twice, and for fewer than two names
 */
export function parseMixture(text: string): readonly MixtureShare[] {
  const refuse = (what: string, fix = form): never => {
    throw new UsageError({ where: `env "${text}"`, what, fix });
  };
  if (!isMixtureId(text)) refuse(`a mixture begins with "${mixtureScheme}".`);
  const parts = text.slice(mixtureScheme.length).split(',');
  const shares = parts.map((part): MixtureShare => {
    const [name = '', weight, ...rest] = part.split('=').map((word) => word.trim());
    if (name === '') return refuse(`"${part}" names no environment.`);
    if (name.startsWith(mixtureScheme)) return refuse('a mixture cannot contain a mixture.');
    if (weight === undefined || weight === '') return refuse(`${name} has no weight.`);
    const number = /^\d*\.?\d+$/.test(weight) && rest.length === 0 ? Number(weight) : Number.NaN;
    if (Number.isNaN(number))
      return refuse(`the weight of ${name} is "${[weight, ...rest].join('=')}", which is no number.`);
    if (number === 0)
      return refuse(`the weight of ${name} is 0.`, 'Leave the environment out, or give it a weight above 0.');
    if (number > greatestWeight)
      return refuse(`the weight of ${name} is above ${greatestWeight}.`, 'Divide all weights by one number.');
    return { name, weight: number };
  });
  const twice = shares.find(({ name }, at) => shares.findIndex((share) => share.name === name) !== at);
  if (twice !== undefined) refuse(`${twice.name} is named twice.`, 'Name each environment once.');
  if (shares.length === 1) refuse('it has one environment.', `Name it alone: ${shares[0]?.name}.`);
  if (shares.length > mostEnvs) refuse(`it has ${shares.length} environments.`, `Name at most ${mostEnvs}.`);
  return shares;
}
