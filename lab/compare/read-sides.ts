import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { findPlaces, type FoundPlaces } from './find-runs.ts';
import { groupRuns } from './group-runs.ts';
import { makeSide, type Member, type Side } from './side.ts';
import { readTrainedRun, type ResultChoice } from './trained-run.ts';
import { isPolicy, type EvaluationResult } from '../../trainers/results/result.ts';
import { configName } from '../../trainers/run/run-document.ts';
import { readResults } from './read-result.ts';

/**
 * The sides that a word of the command line names: `runs/a`, `result.json`, `gigpo=runs/a,runs/b`, a folder of several runs, or a
 * pattern such as `gigpo=runs/g-*`. A file of several results is as many sides, unless a name chooses one. Runs that are found in a
 * folder or by a pattern are left out, with a note, where they have not ended.
 */
export async function readSides(word: string, wanted: ResultChoice): Promise<readonly Side[]> {
  const { name, places } = await readWord(word);
  const found: FoundPlaces[] = [];
  for (const place of places) found.push(await findPlaces(place));
  const read: PlaceMembers[] = [];
  const leftOut: UsageError[] = [];
  for (const { places: inside, isSearched } of found) {
    for (const place of inside) {
      const members = await readPlace(place, wanted).catch((error: unknown) => {
        if (!isSearched || !UsageError.is(error)) throw error;
        leftOut.push(error);
        return undefined;
      });
      if (members !== undefined) read.push({ place, members });
    }
  }
  const [first, ...more] = leftOut;
  if (first !== undefined && read.length === 0) throw first;
  const notes = [first, ...more].flatMap((error) =>
    error === undefined ? [] : [`left out: ${error.parts.where}: ${error.parts.what}`],
  );
  return noted(makeSides(name, found, read), notes);
}

interface PlaceMembers {
  readonly place: string;
  readonly members: readonly Member[];
}

function makeSides(
  name: string | undefined,
  found: readonly FoundPlaces[],
  read: readonly PlaceMembers[],
): readonly Side[] {
  const [only, ...others] = found;
  if (name === undefined && only !== undefined && others.length === 0)
    return only.isSearched
      ? groupRuns(read.flatMap(({ members }) => members))
      : read.flatMap(({ members }) => members.map((member) => makeSide(member.name, [member])));
  const members = read.map((each) => chooseOne(each.members, name, each.place));
  return [makeSide(name ?? members[0]?.result.training?.method ?? 'pooled', members)];
}

/** The first member of the first side carries what is said of the word. */
function noted(sides: readonly Side[], notes: readonly string[]): readonly Side[] {
  const [first, ...others] = sides;
  const [member, ...rest] = first?.members ?? [];
  if (first === undefined || member === undefined || notes.length === 0) return sides;
  return [{ ...first, members: [{ ...member, notes: [...member.notes, ...notes] }, ...rest] }, ...others];
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** What is there under the whole word is meant by it, whatever characters it has. */
async function readWord(
  word: string,
): Promise<{ readonly name: string | undefined; readonly places: readonly string[] }> {
  if (await isThere(word)) return { name: undefined, places: [word] };
  const [, name, rest = word] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
  const places = (await isThere(rest)) ? [rest] : rest.split(',');
  if (name !== '' && !places.includes('')) return { name, places };
  throw new UsageError({
    where: `cairn-gym compare, ${word}`,
    what: name === '' ? 'it has no name before the =.' : 'it has an empty place.',
    fix: 'Write NAME=RUN,RUN,RUN, such as gigpo=runs/g-0,runs/g-1, or a pattern, as in "gigpo=runs/g-*".',
  });
}

/** The members that a folder of a run, or a file of results, holds. */
async function readPlace(place: string, wanted: ResultChoice): Promise<readonly Member[]> {
  if (await isThere(join(place, configName))) return [await readTrainedRun(place, wanted)];
  const results = await readResults(place);
  for (const result of results) assertWanted(place, result, wanted);
  return results.map((result) => ({ where: place, name: result.agent, result, notes: [] }));
}

/** Options that choose among results of runs are refused where a file holds another one. */
function assertWanted(place: string, { panel, shown }: EvaluationResult, wanted: ResultChoice): void {
  const wrongPanel = wanted.panel !== undefined && wanted.panel !== panel.name;
  const wrongDecoding =
    wanted.decoding !== undefined &&
    isPolicy(shown) &&
    shown.remote === undefined &&
    wanted.decoding !== shown.decoding.kind;
  if (!wrongPanel && !wrongDecoding) return;
  const what = wrongPanel
    ? `it is a result on ${panel.name}, and --panel ${wanted.panel} is asked for.`
    : `it is a result of decoding ${shown.decoding.kind}, and --decoding ${wanted.decoding} is asked for.`;
  throw new UsageError({ where: place, what, fix: 'Leave the option out, or give results that are alike.' });
}

function chooseOne(found: readonly Member[], name: string | undefined, place: string): Member {
  const [only, ...more] = found;
  if (only !== undefined && more.length === 0) return only;
  const named = found.find(({ result }) => result.agent === name);
  if (named !== undefined) return named;
  throw new UsageError({
    where: place,
    what: `it holds several results${name === undefined ? '' : `, and none is called ${name}`}: ${found.map(({ result }) => result.agent).join(', ')}.`,
    fix: `Name one: NAME=${place} with one of these names.`,
  });
}
