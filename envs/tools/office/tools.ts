import { z } from 'zod';
import { from } from '../../engines/tools/argument.ts';
import { defineTool, refuse, type Refusal } from '../../engines/tools/tool.ts';
import { emailPattern, idPattern } from '../names.ts';
import { folders, hours, officeTables, weekdays } from './tables.ts';

const personId = from('people.id', z.string().regex(idPattern('per')).describe('id of a person'));
const fileId = from('files.id', z.string().regex(idPattern('fil')).describe('id of a file'));
const meetingId = from('meetings.id', z.string().regex(idPattern('mtg')).describe('id of a meeting'));

const no = (what: string, id: string): Refusal => refuse('not_found', `There is no ${what} ${id}.`);

const lookUps = [
  defineTool(officeTables, {
    name: 'find_person',
    description: 'finds the person with an email address',
    input: z.strictObject({ email: z.string().regex(emailPattern).describe('email address') }),
    output: z.strictObject({ person: personId, name: z.string() }),
    run: ({ email }, world) => {
      const [found] = world.where('people', 'email', email);
      return found === undefined ? no('person', email) : { person: found.id, name: found.name };
    },
  }),
  defineTool(officeTables, {
    name: 'list_files',
    description: 'lists the files of a person',
    input: z.strictObject({ person: personId }),
    output: z.strictObject({ files: z.array(fileId) }),
    run: ({ person }, world) =>
      world.get('people', person) === undefined
        ? no('person', person)
        : { files: world.where('files', 'owner', person).map(({ id }) => id) },
  }),
  defineTool(officeTables, {
    name: 'get_file',
    description: 'shows name, folder and readers of a file',
    input: z.strictObject({ file: fileId }),
    output: z.strictObject({
      file: fileId,
      name: z.string(),
      folder: z.enum(folders),
      readers: z.array(z.string()),
    }),
    run: ({ file }, world) => {
      const row = world.get('files', file);
      if (row === undefined) return no('file', file);
      return { file, name: row.name, folder: row.folder, readers: [...row.readers] };
    },
  }),
  defineTool(officeTables, {
    name: 'list_meetings',
    description: 'lists the meetings of a person',
    input: z.strictObject({ person: personId }),
    output: z.strictObject({ meetings: z.array(meetingId) }),
    run: ({ person }, world) =>
      world.get('people', person) === undefined
        ? no('person', person)
        : { meetings: world.where('meetings', 'owner', person).map(({ id }) => id) },
  }),
  defineTool(officeTables, {
    name: 'get_meeting',
    description: 'shows title, day, hour and kind of a meeting',
    input: z.strictObject({ meeting: meetingId }),
    output: z.strictObject({
      meeting: meetingId,
      title: z.string(),
      day: z.enum(weekdays),
      hour: z.enum(hours),
      kind: z.enum(['normal', 'fixed']),
      state: z.enum(['planned', 'called_off']),
    }),
    run: ({ meeting }, world) => {
      const row = world.get('meetings', meeting);
      if (row === undefined) return no('meeting', meeting);
      const { title, day, hour, kind, state } = row;
      return { meeting, title, day, hour, kind, state };
    },
  }),
];

const changes = [
  defineTool(officeTables, {
    name: 'share_file',
    description: 'lets a person read a file',
    input: z.strictObject({ file: fileId, reader: from('people.id', z.string().regex(idPattern('per'))) }),
    output: z.strictObject({ file: fileId, readers: z.array(z.string()) }),
    run: ({ file, reader }, world) => {
      const row = world.get('files', file);
      if (row === undefined) return no('file', file);
      if (world.get('people', reader) === undefined) return no('person', reader);
      const readers = [...new Set([...row.readers, reader])].sort();
      return { file, readers: [...world.update('files', file, { readers }).readers] };
    },
  }),
  defineTool(officeTables, {
    name: 'put_file',
    description: 'puts a file into another folder',
    input: z.strictObject({ file: fileId, folder: z.enum(folders) }),
    output: z.strictObject({ file: fileId, folder: z.enum(folders) }),
    run: ({ file, folder }, world) => {
      if (world.get('files', file) === undefined) return no('file', file);
      return { file, folder: world.update('files', file, { folder }).folder };
    },
  }),
  defineTool(officeTables, {
    name: 'move_meeting',
    description: 'moves a meeting to another day, at the same hour',
    input: z.strictObject({ meeting: meetingId, day: z.enum(weekdays) }),
    output: z.strictObject({ meeting: meetingId, day: z.enum(weekdays) }),
    run: ({ meeting, day }, world) => {
      if (world.get('meetings', meeting) === undefined) return no('meeting', meeting);
      return { meeting, day: world.update('meetings', meeting, { day }).day };
    },
  }),
  defineTool(officeTables, {
    name: 'call_off_meeting',
    description: 'calls a meeting off',
    input: z.strictObject({ meeting: meetingId }),
    output: z.strictObject({ meeting: meetingId, state: z.literal('called_off') }),
    run: ({ meeting }, world) => {
      if (world.get('meetings', meeting) === undefined) return no('meeting', meeting);
      world.update('meetings', meeting, { state: 'called_off' });
      return { meeting, state: 'called_off' } as const;
    },
  }),
  defineTool(officeTables, {
    name: 'send_mail',
    description: 'sends a person a mail',
    input: z.strictObject({ person: personId, subject: z.string().min(1).max(200) }),
    output: z.strictObject({ mail: z.string() }),
    run: ({ person, subject }, world) => {
      if (world.get('people', person) === undefined) return no('person', person);
      return { mail: world.put('mails', { id: world.newId('mails', 'mail_'), to: person, subject }).id };
    },
  }),
];

/** Tools that no request needs. Each of them changes something. */
const distractors = [
  defineTool(officeTables, {
    name: 'star_file',
    description: 'marks a file with a star',
    input: z.strictObject({ file: fileId }),
    output: z.strictObject({ file: fileId }),
    run: ({ file }, world) => {
      if (world.get('files', file) === undefined) return no('file', file);
      world.update('files', file, { isStarred: true });
      return { file };
    },
  }),
  defineTool(officeTables, {
    name: 'praise_person',
    description: 'praises a person in public',
    input: z.strictObject({ person: personId }),
    output: z.strictObject({ person: personId }),
    run: ({ person }, world) => {
      if (world.get('people', person) === undefined) return no('person', person);
      world.update('people', person, { isPraised: true });
      return { person };
    },
  }),
];

export const officeTools = [...lookUps, ...changes, ...distractors];

const nothing = z.strictObject({});
const phoneState = officeTables.phones.omit({ id: true });
const noPhone = refuse('not_found', 'I have no phone with me.');

/** What the user can do with the own phone. The agent cannot. */
export const phoneTools = [
  defineTool(officeTables, {
    name: 'check_phone',
    description: 'shows flight mode, sync and memory of the phone',
    input: nothing,
    output: phoneState,
    run: (_, world) => {
      const row = world.get('phones', 'mine');
      if (row === undefined) return noPhone;
      const { flightMode, sync, memory } = row;
      return { flightMode, sync, memory };
    },
  }),
  defineTool(officeTables, {
    name: 'leave_flight_mode',
    description: 'turns the flight mode off',
    input: nothing,
    output: z.strictObject({ flightMode: z.literal('off') }),
    run: (_, world) => {
      if (world.get('phones', 'mine') === undefined) return noPhone;
      world.update('phones', 'mine', { flightMode: 'off' });
      return { flightMode: 'off' } as const;
    },
  }),
  defineTool(officeTables, {
    name: 'start_sync',
    description: 'starts the sync of mails',
    input: nothing,
    output: z.strictObject({ sync: z.literal('running') }),
    run: (_, world) => {
      if (world.get('phones', 'mine') === undefined) return noPhone;
      world.update('phones', 'mine', { sync: 'running' });
      return { sync: 'running' } as const;
    },
  }),
  defineTool(officeTables, {
    name: 'erase_photos',
    description: 'erases photos, which gives memory free',
    input: nothing,
    output: z.strictObject({ memory: z.literal('enough') }),
    run: (_, world) => {
      if (world.get('phones', 'mine') === undefined) return noPhone;
      world.update('phones', 'mine', { memory: 'enough' });
      return { memory: 'enough' } as const;
    },
  }),
];
