import { guessingGame } from './guessing-game.ts';
import { things } from './tables/things.ts';

export const twentyQuestionsEnv = guessingGame({
  id: 'game-twenty-questions-v1',
  summary: 'Twenty Questions with a partner who answers by a table of things',
  instruction:
    'Find out which thing I think of in twenty questions. I answer yes or no. Ask about what it is, or guess it.',
  table: things,
  guess: (thing) => `Is it ${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}?`,
});
