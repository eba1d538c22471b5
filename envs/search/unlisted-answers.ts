import { normalise } from '../engines/questions/answers/normalise.ts';
import type { Question } from '../engines/questions/files/question.ts';
import { listedAnswers } from './offered-actions.ts';

/** Whether a text that has an answer of the question without quotes would make `mode=choices` list it. */
export const canBeListed = ({ answers }: Pick<Question, 'answers'>): boolean =>
  answers.some((answer) =>
    listedAnswers(`It is ${answer}.`, '').some((listed) => normalise(listed) === normalise(answer)),
  );
