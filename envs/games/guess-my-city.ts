import { guessingGame } from './guessing-game.ts';
import { cities } from './tables/cities.ts';

export const guessMyCityEnv = guessingGame({
  id: 'game-guess-my-city-v1',
  summary: 'Guess My City with a partner who answers by a table of cities',
  instruction:
    'Find out in which city I live in twenty questions. I answer yes or no. Ask about my city and my country, or guess the city.',
  table: cities,
  guess: (city) => `Do you live in ${city}?`,
});
