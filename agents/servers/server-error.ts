import { z } from 'zod';

const errorSchema = z.object({
  message: z.string().catch(''),
  type: z.string().catch(''),
  code: z.union([z.string(), z.number()]).transform(String).catch(''),
});

/** The fields of an error beside its message, without anything around them. */
const plainError = { type: errorSchema.shape.type, code: errorSchema.shape.code };

/** A server's error message, in the shapes that servers use. */
export type ServerError = z.output<typeof errorSchema>;

const errorBodySchema = z.union([
  z.object({ error: errorSchema }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, type: '', code: '' })),
  z
    .object({
      detail: z.union([z.string(), z.array(z.unknown()).transform((issues) => JSON.stringify(issues))]),
    })
    .transform(({ detail }) => ({ message: detail, type: '', code: '' })),
  z
    .object({ success: z.literal(false), error_message: z.string() })
    .transform(({ error_message: message }) => ({ message, type: '', code: '' })), // SGLang's adapter routes
  z
    .object({ object: z.literal('error'), ...errorSchema.shape })
    .transform(({ object: _mark, ...error }) => error),
  // a choice that failed, as gateways report the error of the server behind them
  z
    .object({ choices: z.tuple([z.object({ error: errorSchema })], z.unknown()) })
    .transform(({ choices }) => choices[0].error),
  z.object({ choices: z.undefined().optional(), message: z.string(), ...plainError }),
]);

/**
 * The error in a parsed body, or the first of a list of errors; undefined if there is none. An empty error
 * field, as some servers always send it, is no error.
 */
export function readServerError(body: unknown): ServerError | undefined {
  const error = errorBodySchema.safeParse(Array.isArray(body) ? body[0] : body).data;
  return error === undefined || `${error.message}${error.type}${error.code}`.trim() === ''
    ? undefined
    : error;
}
