import type { Reply, Textual } from '../core/textual.ts';

/** Observations and actions are words already. */
export const shopText: Textual<string, string> = {
  observation: (observation) => observation,
  action: (action) => action,
  parse: (text): Reply<string> => {
    const action = text.trim();
    if (action === '')
      return {
        kind: 'malformed',
        why: 'The reply is empty: answer with search[words] or click[button].',
        text,
      };
    if (/[\r\n]/.test(action))
      return {
        kind: 'malformed',
        why: 'The reply has several lines: answer with one action on one line.',
        text,
      };
    return { kind: 'action', action };
  },
};
