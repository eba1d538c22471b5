import type { MetricsLine } from '../../trainers/run/metrics-schema.ts';

/**
 * The first line of a run's metrics that does not follow as a trainer writes them, in words such as `has iteration 3 after iteration 1`;
 * undefined where there is none. Passes of the warm start come first, counted from 1, then iterations, each once; an evaluation comes
 * at most once, behind the iteration after which it was played.
 */
export function findStrayLine(lines: readonly MetricsLine[]): string | undefined {
  const at = lines.findIndex((line, index) => !follows(line, lines[index - 1]));
  const [before, stray] = [lines[at - 1], lines[at]];
  if (stray === undefined) return undefined;
  return `has ${nameOf(stray)} ${before === undefined ? 'first' : `after ${nameOf(before)}`}`;
}

function follows(line: MetricsLine, before: MetricsLine | undefined): boolean {
  if (line.kind === 'warm-start')
    return (before === undefined || before.kind === 'warm-start') && line.epoch === (before?.epoch ?? 0) + 1;
  const done = before === undefined || before.kind === 'warm-start' ? 0 : before.iteration;
  return line.kind === 'iteration'
    ? line.iteration === done + 1
    : line.iteration === done && before?.kind !== 'evaluation';
}

function nameOf(line: MetricsLine): string {
  if (line.kind === 'warm-start') return `pass ${line.epoch} of the warm start`;
  if (line.kind === 'iteration') return `iteration ${line.iteration}`;
  return line.iteration === 0
    ? 'the evaluation before training'
    : `the evaluation of iteration ${line.iteration}`;
}
