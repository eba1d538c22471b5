import { availableParallelism, cpus, loadavg } from 'node:os';

/** When and where a measurement was made. */
export function describeMachine(): Readonly<Record<string, string | number | boolean>> {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadBefore: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    collectedBeforeWeighing: globalThis.gc !== undefined,
  };
}
