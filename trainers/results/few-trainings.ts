import { isPolicy, type EvaluationResult } from './result.ts';

/** Of two trainings Student's interval is some thirteen standard errors wide to each side, and so says nothing. */
const fewestForInterval = 3;

/** Why an interval over seeds is left out. */
export const noIntervalWorthShowing = 'no interval worth showing below three seeds';

/**
 * Number of trainings behind a result; 0 for agents not trained here. Only pooled results have several seeds. Weights in a folder come
 * from one training, wherever that was.
 */
export const trainingsOf = ({ shown, seeds }: Pick<EvaluationResult, 'shown' | 'seeds'>): number =>
  !isPolicy(shown) || shown.remote !== undefined ? 0 : seeds.length;

/** Whether several trainings are pooled, and they are too few for an interval over them. The interval of one training is over tasks. */
export const arePooledTooFew = (trainings: number): boolean => trainings > 1 && trainings < fewestForInterval;
