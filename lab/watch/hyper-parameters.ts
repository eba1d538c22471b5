import type { HyperParameters } from '../export/event-file.ts';

/** The values of a config by their paths, such as `update.learningRate`. Lists are written as JSON, and absent values left out. */
export function flattenConfig(config: unknown): HyperParameters {
  const entries = (
    value: unknown,
    path: string,
  ): readonly (readonly [string, number | string | boolean])[] => {
    if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
      return [[path, value]];
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) return [[path, JSON.stringify(value)]];
    return Object.entries(value).flatMap(([key, item]) =>
      entries(item, path === '' ? key : `${path}.${key}`),
    );
  };
  return Object.fromEntries(entries(config, ''));
}
