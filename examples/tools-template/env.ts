import { createRng, defineTool, defineToolEnv, from, refuse, type ToolTask } from 'cairn-gym/envs';
import { z } from 'zod';

/** The data: one schema for each table. Every row has an `id`. */
const tables = {
  members: z.strictObject({ id: z.string(), name: z.string(), blocked: z.boolean() }),
  books: z.strictObject({ id: z.string(), title: z.string(), lentTo: z.string() }),
};

/** Listed calls fill such an argument with ids that a result has shown. */
const member = from('members.id', z.string().describe('its id'));
const book = from('books.id', z.string().describe('its id'));

/** The tools. A refused call takes its changes back, and the model sees why. */
const tools = [
  defineTool(tables, {
    name: 'find_member',
    description: 'finds a member by first name',
    input: z.strictObject({ name: z.string().describe('first name') }),
    output: z.strictObject({ member }),
    run: ({ name }, world) => {
      const [found] = world.where('members', 'name', name);
      return found === undefined ? refuse('not_found', `There is no member ${name}.`) : { member: found.id };
    },
  }),
  defineTool(tables, {
    name: 'read_member',
    description: 'says whether a member is blocked',
    input: z.strictObject({ member }),
    output: z.strictObject({ blocked: z.boolean() }),
    run: (given, world) => {
      const row = world.get('members', given.member);
      return row === undefined
        ? refuse('not_found', `There is no member ${given.member}.`)
        : { blocked: row.blocked };
    },
  }),
  defineTool(tables, {
    name: 'find_book',
    description: 'finds a book by its title',
    input: z.strictObject({ title: z.string().describe('its title') }),
    output: z.strictObject({ book, free: z.boolean() }),
    run: ({ title }, world) => {
      const [found] = world.where('books', 'title', title);
      return found === undefined
        ? refuse('not_found', `There is no book ${title}.`)
        : { book: found.id, free: found.lentTo === '' };
    },
  }),
  defineTool(tables, {
    name: 'lend_book',
    description: 'lends a book to a member',
    input: z.strictObject({ book, member }),
    output: z.strictObject({ status: z.literal('lent') }),
    run: (given, world) => {
      const row = world.get('books', given.book);
      if (row === undefined) return refuse('not_found', `There is no book ${given.book}.`);
      if (world.get('members', given.member) === undefined)
        return refuse('not_found', `There is no member ${given.member}.`);
      if (row.lentTo !== '') return refuse('not_allowed', `${row.title} is lent already.`);
      world.update('books', given.book, { lentTo: given.member });
      return { status: 'lent' } as const;
    },
  }),
];

const names = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn'];
const titles = ['Dune', 'Emma', 'Ulysses', 'Momo', 'Walden', 'Kim'];

/** The task generator. Equal arguments give equal tasks. One task in four comes from a blocked member. */
function drawTask(panel: string, index: number): ToolTask<typeof tables> {
  const rng = createRng(0).fork(panel).fork(index);
  const isBlocked = index % 4 === 3;
  const ids = rng.shuffle([...'abcdefghijkl']);
  const [asker = '', ...others] = rng.shuffle(names).slice(0, 3);
  const [wanted = '', ...shelf] = rng.shuffle(titles).slice(0, 3);
  const members = [asker, ...others].map((name, at) => ({
    id: `member_${ids[at]}`,
    name,
    blocked: at === 0 ? isBlocked : rng.int(2) === 0,
  }));
  const books = [wanted, ...shelf].map((title, at) => ({ id: `book_${ids[at + 6]}`, title, lentTo: '' }));
  const [who, what] = [members[0]?.id ?? '', books[0]?.id ?? ''];
  const lookUp = [
    { name: 'find_member', arguments: { name: asker } },
    { name: 'read_member', arguments: { member: who } },
  ];
  return {
    family: isBlocked ? 'refuse' : 'lend',
    start: { members: rng.shuffle(members), books: rng.shuffle(books) },
    requests: [
      {
        says: `I am "${asker}". Please lend me "${wanted}".`,
        read: [`members/${who}`], // no end is right by chance
        ...(isBlocked
          ? { gold: lookUp, end: 'refuse', rule: 'blocked' }
          : {
              gold: [
                ...lookUp,
                { name: 'find_book', arguments: { title: wanted } },
                { name: 'lend_book', arguments: { book: what, member: who } },
              ],
            }),
      },
    ],
  };
}

export const env = defineToolEnv({
  id: 'my-lab/library-desk-v1',
  summary: 'Lend books with tools, and refuse blocked members',
  world: {
    tables,
    tools,
    panels: { train: 400, dev: 40, unseen: 40 },
    policy: 'You work at the desk of a library. Look the member up before you lend a book.',
    rules: { blocked: 'Blocked members get no books.' },
    task: ({ panel, index }) => drawTask(panel, index),
  },
  defaults: { maxSteps: 12 },
});

export const environments = [env];
