import { z } from 'zod';
import type { EnvHost } from '../../../envs/core/env.ts';
import { definePlayerKind } from '../player-kind.ts';

const schema = z.strictObject({
  kind: z.literal('baseline'),
  name: z.string().min(1).describe('name of a baseline of the env'),
});
type BaselineSpec = z.output<typeof schema>;

/** A baseline that comes with the env, for comparisons. */
export const baselineKind = definePlayerKind({
  kind: 'baseline',
  schema,
  words: [],
  scheme: 'baseline',
  usage: ['baseline:NAME'],
  parse: (text): BaselineSpec | undefined => {
    const name = /^baseline:(.+)$/.exec(text)?.[1];
    return name === undefined ? undefined : { kind: 'baseline', name };
  },
  describe: ({ name }) => `baseline:${name}`,
  resolve: async ({ name }, { envSession }) => {
    const { baselinePlayer } = await import('../../../trainers/evaluate/evaluate.ts');
    const player = baselinePlayer(envSession, name);
    return {
      kind: 'baseline',
      text: `baseline:${name}`,
      words: `the baseline ${name}`,
      sameAs: `baseline ${name}`,
      identity: { kind: 'scripted', agent: `baseline:${name}` },
      names: () => [name, `baseline:${name}`],
      entry: (given) => given,
      open: async () => ({
        ...player,
        versions: () => ({}),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }),
    };
  },
});

/** Names of the baselines that the env comes with. */
export const baselinesOf = ({ experts }: Pick<EnvHost<unknown, unknown>, 'experts'>): readonly string[] =>
  Object.keys(experts?.baselines ?? {});
