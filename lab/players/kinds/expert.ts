import { z } from 'zod';
import type { EnvHost } from '../../../envs/core/env.ts';
import { definePlayerKind } from '../player-kind.ts';

const names = ['searcher', 'planner'] as const;

const schema = z.strictObject({
  kind: z.literal('expert'),
  name: z
    .enum(names)
    .optional()
    .describe(
      'searcher sees what agents see, planner sees hidden facts too; default: the searcher, or the planner where there is no searcher',
    ),
});
type ExpertSpec = z.output<typeof schema>;

/** An expert that comes with the env: the ceiling of a comparison. */
export const expertKind = definePlayerKind({
  kind: 'expert',
  schema,
  words: ['expert', ...names],
  usage: ['expert', ...names],
  parse: (text): ExpertSpec | undefined => {
    const name = names.find((each) => each === text);
    if (name !== undefined) return { kind: 'expert', name };
    return text === 'expert' ? { kind: 'expert' } : undefined;
  },
  describe: ({ name = 'expert' }) => name,
  resolve: async (spec, { envSession }) => {
    const { experts } = envSession.host;
    const usual = experts?.searcher === undefined && experts?.planner !== undefined ? 'planner' : 'searcher';
    const name = spec.name ?? usual;
    return {
      kind: 'expert',
      text: spec.name ?? 'expert',
      words: `the ${name}`,
      sameAs: name,
      identity: { kind: 'scripted', agent: name },
      names: () => [name],
      entry: (given) => given,
      open: async () => {
        const { expertPlayer } = await import('../../../trainers/evaluate/evaluate.ts');
        return {
          ...expertPlayer(envSession, name),
          versions: () => ({}),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        };
      },
    };
  },
});

/** Whether the env comes with an expert. */
export const hasExpert = ({ experts }: Pick<EnvHost<unknown, unknown>, 'experts'>): boolean =>
  experts?.searcher !== undefined || experts?.planner !== undefined;
