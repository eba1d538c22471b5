import { z } from 'zod';
import { createRng } from '../../core/rng.ts';
import type { TableRows } from '../../engines/tools/tables.ts';
import { drawMail, drawNames, firstNames, IdDrawer, lastNames } from '../names.ts';

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
export const hours = ['nine', 'ten', 'eleven', 'two', 'three', 'four'] as const;
export const folders = ['projects', 'drafts', 'board', 'archive'] as const;

export const officeTables = {
  people: z.strictObject({ id: z.string(), name: z.string(), email: z.string(), isPraised: z.boolean() }),
  files: z.strictObject({
    id: z.string(),
    owner: z.string(),
    name: z.string(),
    folder: z.enum(folders),
    /** People that may read it. */
    readers: z.array(z.string()),
    isStarred: z.boolean(),
  }),
  meetings: z.strictObject({
    id: z.string(),
    owner: z.string(),
    title: z.string(),
    day: z.enum(weekdays),
    hour: z.enum(hours),
    kind: z.enum(['normal', 'fixed']),
    state: z.enum(['planned', 'called_off']),
  }),
  mails: z.strictObject({ id: z.string(), to: z.string(), subject: z.string() }),
  /** The phone of the user, with the id `mine`. The agent cannot reach it: the user has to use it. */
  phones: z.strictObject({
    id: z.string(),
    flightMode: z.enum(['on', 'off']),
    sync: z.enum(['running', 'stopped']),
    memory: z.enum(['enough', 'exhausted']),
  }),
};
export type OfficeTables = typeof officeTables;

const peopleCount = 400;

/** 400 people with three files and three meetings each. */
export function officeRows(seed: number): TableRows<OfficeTables> {
  const rng = createRng(seed).fork('office-rows');
  const ids = new IdDrawer(rng.fork('ids'));
  const names = drawNames(rng.fork('names'), 400);
  const people = Array.from({ length: peopleCount }, (_, index) => {
    const [first, last] = [rng.pick(firstNames), rng.pick(lastNames)];
    const email = drawMail(first, last, index);
    return { id: ids.draw('per'), name: `${first} ${last}`, email, isPraised: false };
  });
  const files = people.flatMap((person) =>
    rng
      .shuffle(names)
      .slice(0, 3)
      .map((name) => ({
        id: ids.draw('fil'),
        owner: person.id,
        name,
        folder: rng.pick(folders),
        readers: [],
        isStarred: false,
      })),
  );
  const meetings = people.flatMap((person) =>
    rng
      .shuffle(names)
      .slice(0, 3)
      .map((title) => ({
        id: ids.draw('mtg'),
        owner: person.id,
        title,
        day: rng.pick(weekdays),
        hour: rng.pick(hours),
        kind: rng.int(3) === 0 ? ('fixed' as const) : ('normal' as const),
        state: 'planned' as const,
      })),
  );
  return { people, files, meetings, mails: [], phones: [] };
}
