/** A prompt file of few words, so that tests can say whole prompts. */
export const smallPrompt = {
  format: 1,
  name: 'small',
  grammar: 'command',
  system: 'Play.',
  opening: 'TASK {instruction} SEEN {observation}',
  turn: 'SEEN {observation}',
  actions: { shown: true, text: 'CAN {actions}', item: '{action}', most: 3 },
  retry: 'AGAIN {why}',
  leftOut: '({count} LEFT OUT)',
  observationCharacters: 100,
} as const;
