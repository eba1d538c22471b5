import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { definePlayerKind } from '../player-kind.ts';

const schema = z.strictObject({
  kind: z.literal('noisy'),
  share: z.number().gt(0).lt(1).describe('share of the turns in which it chooses at random'),
});
type NoisySpec = z.output<typeof schema>;

/** The searcher of the env with a share of random turns: a player of graded skill, for offline data sets. */
export const noisyKind = definePlayerKind({
  kind: 'noisy',
  schema,
  words: [],
  scheme: 'noisy',
  usage: ['noisy:SHARE'],
  parse: (text, where): NoisySpec | undefined => {
    const written = /^noisy:(.+)$/.exec(text)?.[1];
    if (written === undefined) return undefined;
    const spec = schema.safeParse({ kind: 'noisy', share: Number(written) });
    if (spec.success) return spec.data;
    throw new UsageError({
      where,
      what: `"${text}" names no share of random turns.`,
      fix: 'Write a number above 0 and below 1, such as noisy:0.25. With 0 it is the expert, with 1 the random player.',
    });
  },
  describe: ({ share }) => `noisy:${share}`,
  resolve: async ({ share }, { envSession }) => {
    const name = `noisy:${share}`;
    const { definition, host } = envSession;
    if (host.experts?.searcher === undefined)
      throw new UsageError({
        where: `agent ${name}`,
        what: `${definition.id} has no searcher${host.experts?.planner === undefined ? '' : ', and the plan of its planner does not go on after a random action'}.`,
        fix: 'Name other agents, or an environment with a searcher: `npx cairn-gym envs` lists them.',
      });
    return {
      kind: 'noisy',
      text: name,
      words: `the searcher with ${100 * share} % of random turns`,
      sameAs: name,
      identity: { kind: 'scripted', agent: name },
      names: () => [name],
      entry: (given) => given,
      open: async () => {
        const { noisyPlayer } = await import('../../../trainers/evaluate/evaluate.ts');
        return {
          ...noisyPlayer(envSession, share),
          versions: () => ({}),
          [Symbol.asyncDispose]: () => Promise.resolve(),
        };
      },
    };
  },
});
