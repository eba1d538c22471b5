import { z } from 'zod';

/** What a player sees: results of the calls, in order, and what the user says. */
export interface ToolObservation {
  /** Names of the tools, in the first observation. */
  readonly tools?: readonly string[];
  readonly results: readonly {
    readonly name: string;
    /** The code of the error, where the call failed. */
    readonly error?: string;
    /** The result as JSON text, or the message of the error. */
    readonly text: string;
  }[];
  /** The message of the user. */
  readonly user?: string;
  /** What the env says, such as that there is no such rule. */
  readonly notice?: string;
}

export const toolObservationSchema: z.ZodType<ToolObservation> = z.strictObject({
  tools: z.array(z.string()).exactOptional(),
  results: z.array(z.strictObject({ name: z.string(), error: z.string().exactOptional(), text: z.string() })),
  user: z.string().exactOptional(),
  notice: z.string().exactOptional(),
});

/** The observation in words, one line for each part. */
export function printObservation({ tools, results, user, notice }: ToolObservation): string {
  return [
    ...(tools === undefined ? [] : [`Tools: ${tools.join(', ')}.`]),
    ...results.map(printResult),
    ...(user === undefined ? [] : [`User: ${user}`]),
    ...(notice === undefined ? [] : [notice]),
  ].join('\n');
}

const printResult = ({ name, error, text }: ToolObservation['results'][number]): string =>
  error === undefined ? `${name}: ${text}` : `${name} failed, ${error}: ${text}`;

/** The results in words, one for each call; none where the observation has more than results. */
export const printResults = ({ tools, results, user, notice }: ToolObservation): readonly string[] =>
  tools === undefined && user === undefined && notice === undefined ? results.map(printResult) : [];
