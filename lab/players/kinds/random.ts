import { z } from 'zod';
import { definePlayerKind } from '../player-kind.ts';

const schema = z.strictObject({ kind: z.literal('random') });
type RandomSpec = z.output<typeof schema>;

/** Chooses an admissible action at random: the floor of a comparison. */
export const randomKind = definePlayerKind({
  kind: 'random',
  schema,
  words: ['random'],
  usage: ['random'],
  parse: (text): RandomSpec | undefined => (text === 'random' ? { kind: 'random' } : undefined),
  describe: () => 'random',
  resolve: async () => ({
    kind: 'random',
    text: 'random',
    words: 'the random player',
    sameAs: 'random',
    identity: { kind: 'scripted', agent: 'random' },
    names: () => ['random'],
    entry: (name) => name,
    open: async () => {
      const { randomPlayer } = await import('../../../trainers/evaluate/evaluate.ts');
      return { ...randomPlayer(), versions: () => ({}), [Symbol.asyncDispose]: () => Promise.resolve() };
    },
  }),
});
