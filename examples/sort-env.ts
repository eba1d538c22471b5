import { createRng, defineEnv, reward, type TaskRef } from 'cairn-gym/envs';
import { z } from 'zod';

const ordersOf = (letters: string): string[] =>
  letters === '' ? [''] : [...letters].flatMap((it) => ordersOf(letters.replace(it, '')).map((rest) => it + rest));
const orders = createRng(0).shuffle(ordersOf('abcde').slice(1)); // no two panels share one, and none is sorted already
const firsts: Readonly<Record<string, number>> = { train: 0, dev: 59, unseen: 89 };
const lettersOf = ({ panel, index }: TaskRef) => [...(orders[(firsts[panel] ?? 0) + index] ?? '')];
const task = { family: 'sort', instruction: 'Put the letters in order by moving one after the other to the front.' };
const panel = { summary: 'five letters in disorder', size: 30 };

const sort = defineEnv({
  id: 'my-lab/sort-v1',
  summary: 'Sort five letters by moving them to the front',
  config: z.strictObject({}),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  turnLimit: () => 20,
  text: { observation: (seen) => seen, action: (act) => act, parse: (text) => ({ kind: 'action', action: text.trim() }) },
  open: async () => ({
    panels: [{ ...panel, name: 'train', size: 59, purpose: 'train' }, { ...panel, name: 'dev', purpose: 'dev' }, { ...panel, name: 'unseen', purpose: 'held-out' }],
    describeTask: (ref) => ({ ...task, content: lettersOf(ref) }),
    create: async () => {
      let letters = [''];
      const turn = () => {
        const key = letters.join(' '); // nothing is hidden: equal boards are equal decisions
        return { observation: key, stateKey: key, anchorKey: key, admissible: letters.map((it) => `front ${it}`), stepsLeft: undefined, seat: 0 };
      };
      return {
        reset: async (ref) => ((letters = lettersOf(ref)), { ...turn(), instruction: task.instruction }),
        step: async (action) => {
          const inadmissible = !turn().admissible.includes(action);
          if (!inadmissible) letters = [action.slice(6), ...letters.filter((it) => it !== action.slice(6))];
          const sorted = letters.join('') === 'abcde';
          const result = { ...turn(), reward: reward({ sorted: sorted ? 1 : 0 }), inadmissible };
          return sorted ? { kind: 'terminated', outcome: 'solved', ...result } : { kind: 'ongoing', ...result };
        },
        close: async () => undefined,
      };
    },
    close: async () => undefined,
  }),
});

export const environments = [sort];
