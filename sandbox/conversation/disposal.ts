import { UsageError } from '../../envs/core/errors.ts';

/**
 * The error of a call whose conversation is disposed meanwhile. Neither the code nor the interpreter ended
 * it.
 */
export const endedMeanwhile = (): UsageError =>
  new UsageError({
    where: 'conversation.say',
    what: 'the conversation was disposed while this call was running.',
    fix: 'Await the call before disposing.',
  });
