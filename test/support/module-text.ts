/** The text of a user's env module that is sound but for the lines put in: run when it is imported, or in each step. */
export const moduleText = (
  id: string,
  lines: { readonly atImport?: string; readonly inStep?: string },
): string => `import { defineEnv, reward } from 'cairn-gym/envs';
import { z } from 'zod';
${lines.atImport ?? ''}
const turn = { observation: 'here', stateKey: 'x', anchorKey: 'x', admissible: ['go', 'stay'], stepsLeft: undefined, seat: 0 };
const panel = (name) => ({ name, size: 8, purpose: name, summary: 'eight alike' });
export const environments = [defineEnv({
  id: '${id}',
  summary: 'does what it should not',
  config: z.strictObject({}),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: { observation: (o) => o, action: (a) => a, parse: (text) => ({ kind: 'action', action: text }) },
  open: async () => ({
    panels: [panel('train'), panel('dev')],
    describeTask: ({ panel, index }) => ({ family: 'f', instruction: 'i', content: panel + index }),
    create: async () => ({
      reset: async () => ({ ...turn, instruction: 'go' }),
      step: async (action) => {
        ${lines.inStep ?? ''}
        return { kind: 'terminated', outcome: 'solved', observation: 'done', reward: reward({ goal: action === 'go' ? 1 : 0 }), inadmissible: false, stateKey: 'y' };
      },
      close: async () => undefined,
    }),
    close: async () => undefined,
  }),
})];
`;
