import type { AnyEnvDefinition } from '../core/env.ts';
import { banditEnv } from './bandit.ts';
import { blackjackEnv } from './blackjack.ts';
import { carDealerEnv } from './car-dealer.ts';
import { chessEnv } from './chess/chess.ts';
import { chessEndgameEnv } from './chess/endgame.ts';
import { cliffWalkingEnv } from './cliff-walking.ts';
import { contextualBanditEnv } from './contextual-bandit.ts';
import { craftingEnv } from './crafting.ts';
import { frozenLakeEnv } from './frozen-lake.ts';
import { game2048Env } from './game-2048.ts';
import { guessMyCityEnv } from './guess-my-city.ts';
import { hangmanEnv } from './hangman.ts';
import { mastermindEnv } from './mastermind.ts';
import { mazeEnv } from './maze.ts';
import { minesweeperEnv } from './minesweeper.ts';
import { sokobanEnv } from './sokoban.ts';
import { survivalEnv } from './survival/survival.ts';
import { taxiEnv } from './taxi.ts';
import { textNavEnv } from './text-nav.ts';
import { twentyQuestionsEnv } from './twenty-questions.ts';
import { wordleEnv, wordleLmrlEnv } from './wordle.ts';

/** The environments of games, in the order of the catalogue. A new game is one file and one entry here. */
export const gameEnvs: readonly AnyEnvDefinition[] = [
  mazeEnv,
  textNavEnv,
  wordleEnv,
  wordleLmrlEnv,
  twentyQuestionsEnv,
  guessMyCityEnv,
  carDealerEnv,
  frozenLakeEnv,
  taxiEnv,
  cliffWalkingEnv,
  blackjackEnv,
  sokobanEnv,
  game2048Env,
  minesweeperEnv,
  mastermindEnv,
  hangmanEnv,
  craftingEnv,
  survivalEnv,
  chessEndgameEnv,
  chessEnv,
  banditEnv,
  contextualBanditEnv,
];
