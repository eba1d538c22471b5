import { UsageError } from '../../envs/core/errors.ts';

/** A variant of a sweep: its name, and the values that it sets, as `--with` takes them. */
export interface SweepVariant {
  readonly name: string;
  readonly assignments: readonly string[];
}

/** Trainings that one command may ask for. */
const mostRuns = 1_000;

/** Seeds as `0..4`, `0,3,7`, or both, `0..2,9`: whole numbers from 0, each once. @throws UsageError */
export function readSeeds(text: string): readonly number[] {
  const refuse = (what: string): UsageError =>
    new UsageError({
      where: `--seeds ${text}`,
      what: `${what}.`,
      fix: 'Write a range, such as 0..4, or a list, such as 0,3,7.',
    });
  const seeds = text.split(',').flatMap((part) => {
    const [, from, to = from] = /^\s*(\d{1,15})(?:\.\.(\d{1,15}))?\s*$/.exec(part) ?? [];
    if (from === undefined || to === undefined)
      throw refuse(`"${part}" is neither a seed nor a range of seeds`);
    const count = Number(to) - Number(from) + 1;
    if (count < 1) throw refuse(`"${part}" goes down, so it has no seed`);
    if (count > mostRuns) throw refuse(`"${part}" has ${count} seeds, and at most ${mostRuns} are allowed`);
    return Array.from({ length: count }, (_, index) => Number(from) + index);
  });
  const twice = seeds.find((seed, index) => seeds.indexOf(seed) !== index);
  if (twice !== undefined) throw refuse(`seed ${twice} comes twice`);
  return seeds;
}

/**
 * All combinations of the values of `--sweep key=a,b`. A variant is called by its values and the last parts of their keys, such as
 * `learningRate-0.001+kind-grpo`.
 * @throws UsageError for a sweep without a key or with an empty value, and for a key that is swept twice
 */
export function readSweep(given: readonly string[]): readonly SweepVariant[] {
  const sweeps = given.map(readOne);
  const keys = sweeps.map(({ key }) => key);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined)
    throw new UsageError({
      where: `--sweep ${twice}`,
      what: 'it is swept twice.',
      fix: `Give all its values at once: --sweep ${twice}=A,B,C.`,
    });
  let variants: readonly SweepVariant[] = [{ name: '', assignments: [] }];
  for (const { key, values } of sweeps) {
    variants = variants.flatMap(({ name, assignments }) =>
      values.map((value) => ({
        name: [...(name === '' ? [] : [name]), nameOf(key, value)].join('+'),
        assignments: [...assignments, `${key}=${value}`],
      })),
    );
    if (variants.length > mostRuns)
      throw new UsageError({
        where: '--sweep',
        what: `it makes more than ${mostRuns} variants.`,
        fix: 'Sweep fewer keys or values at once.',
      });
  }
  return withDistinctNames(variants);
}

function readOne(sweep: string): { readonly key: string; readonly values: readonly string[] } {
  const split = sweep.indexOf('=');
  const key = sweep.slice(0, Math.max(split, 0));
  const values = sweep.slice(split + 1).split(',');
  if (key !== '' && values.every((value) => value.trim() !== ''))
    return { key, values: [...new Set(values)] };
  throw new UsageError({
    where: `--sweep ${sweep}`,
    what: split < 0 ? 'it has no "=".' : key === '' ? 'it has no key.' : 'it has an empty value.',
    fix: 'Write it as key=value,value, such as --sweep update.learningRate=0.001,0.003.',
  });
}

/** A name for a folder: other characters than letters, digits and `. _ + -` become `-`. */
const nameOf = (key: string, value: string): string =>
  `${key.split('.').at(-1) ?? ''}-${value}`.replaceAll(/[^\w.+-]+/g, '-').slice(0, 40);

function withDistinctNames(variants: readonly SweepVariant[]): readonly SweepVariant[] {
  const names = variants.map(({ name }) => name.slice(0, 60));
  const areDistinct = new Set(names).size === names.length && !names.includes('');
  return variants.map((variant, index) => ({
    ...variant,
    name:
      areDistinct || variants.length === 1
        ? (names[index] ?? '')
        : `${(names[index] ?? '').slice(0, 50)}-v${index + 1}`,
  }));
}
