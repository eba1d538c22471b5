import type { Rng } from '../../core/rng.ts';
import type { GoldCall } from '../../engines/tools/task.ts';
import type { TableRows } from '../../engines/tools/tables.ts';
import { gold, inShare, type Form } from '../form.ts';
import { wrongId } from '../names.ts';
import {
  act,
  call,
  done,
  findAmong,
  forbidden,
  letUser,
  listIn,
  lookUp,
  tell,
  type Asked,
} from '../procedure.ts';
import { folders, weekdays, type OfficeTables } from './tables.ts';

type Rows = TableRows<OfficeTables>;

export const officeRules = {
  board_file: 'No file of the board can be shared or put elsewhere.',
  fixed_meeting: 'No meeting that is fixed can be moved or called off.',
};

const emailSlot = { name: 'email', label: 'email address', wrong: () => 'no.body@mail.example' };
const meetingSlot = { name: 'meeting', label: 'meeting id', wrong: (rng: Rng) => wrongId(rng, 'mtg') };
const fileSlot = { name: 'file', label: 'file id', wrong: (rng: Rng) => wrongId(rng, 'fil') };

const emailOf = (rows: Rows, person: string): string =>
  rows.people.find(({ id }) => id === person)?.email ?? '';

/** Finds a thing of the user by its name. */
function* findOwn(
  asked: Asked,
  of: {
    readonly list: string;
    readonly field: string;
    readonly tool: string;
    readonly argument: string;
    readonly name: string;
  },
) {
  const { found } = yield* lookUp(asked, emailSlot, { tool: 'find_person', argument: 'email' });
  const ids = listIn(yield* call(of.list, { person: found['person'] ?? '' }), of.field);
  const thing = yield* findAmong(asked, ids, of, (fields) => fields[of.name] === asked.values['name']);
  return thing ?? { id: '', found: {} };
}
const ownFile = { list: 'list_files', field: 'files', tool: 'get_file', argument: 'file', name: 'name' };
const ownMeeting = {
  list: 'list_meetings',
  field: 'meetings',
  tool: 'get_meeting',
  argument: 'meeting',
  name: 'title',
};

const share: Form<OfficeTables> = {
  name: 'share',
  kind: 'act',
  wordings: [
    'Please share my file "{name}" with {reader}.[ My email address is {email}.]',
    '[I am {email}. ]The file "{name}" is for {reader} too, so share it.',
    '[This is {email}. ]Let {reader} read the file "{name}" of mine.',
  ],
  slot: emailSlot,
  needs: 'share_file',
  isRuled: true,
  draw: (rng, { share: part, isForbidden, rows }) => {
    const file = rng.pick(
      inShare(rows.files, part).filter(({ folder }) => (folder === 'board') === isForbidden),
    );
    const reader = rng.pick(rows.people.filter(({ id }) => id !== file.owner));
    const email = emailOf(rows, file.owner);
    return {
      values: { name: file.name, reader: reader.email, email },
      lookUps: [
        gold('find_person', { email }),
        gold('list_files', { person: file.owner }),
        gold('get_file', { file: file.id }),
        ...(isForbidden ? [] : [gold('find_person', { email: reader.email })]),
      ],
      acts: [gold('share_file', { file: file.id, reader: reader.id })],
      read: [`files/${file.id}`],
      ...(isForbidden ? { rule: 'board_file' } : {}),
    };
  },
  *solve(asked) {
    const { id, found } = yield* findOwn(asked, ownFile);
    if (found['folder'] === 'board') return forbidden('board_file');
    const reader = yield* call('find_person', { email: asked.values['reader'] ?? '' });
    yield* act(asked, 'share_file', { file: id, reader: reader?.['person'] ?? '' });
    return done;
  },
};

const put: Form<OfficeTables> = {
  name: 'put',
  kind: 'act',
  wordings: [
    'Please put the file[ {file}] into the folder {folder}.',
    'A file of mine[, {file},] belongs into {folder}.',
    'Could you tidy a file away[: {file}]? It goes to {folder}.',
  ],
  slot: fileSlot,
  needs: 'put_file',
  isRuled: true,
  draw: (rng, { share: part, isForbidden, rows }) => {
    const file = rng.pick(
      inShare(rows.files, part).filter(({ folder }) => (folder === 'board') === isForbidden),
    );
    const folder = rng.pick(folders.filter((one) => one !== file.folder && one !== 'board'));
    return {
      values: { file: file.id, folder },
      lookUps: [gold('get_file', { file: file.id })],
      acts: [gold('put_file', { file: file.id, folder })],
      read: [`files/${file.id}`],
      ...(isForbidden ? { rule: 'board_file' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, fileSlot, { tool: 'get_file', argument: 'file' });
    if (found['folder'] === 'board') return forbidden('board_file');
    yield* act(asked, 'put_file', { file: value, folder: asked.values['folder'] ?? '' });
    return done;
  },
};

const move: Form<OfficeTables> = {
  name: 'move',
  kind: 'act',
  wordings: [
    'Please move my meeting "{name}" to {day}.[ My email address is {email}.]',
    '[I am {email}. ]I cannot come to "{name}", so move it to {day}.',
    '[This is {email}. ]On {day} I would have time for "{name}".',
  ],
  slot: emailSlot,
  needs: 'move_meeting',
  isRuled: true,
  draw: (rng, { share: part, isForbidden, rows }) => {
    const meeting = rng.pick(
      inShare(rows.meetings, part).filter(({ kind }) => (kind === 'fixed') === isForbidden),
    );
    const day = rng.pick(weekdays.filter((one) => one !== meeting.day));
    const email = emailOf(rows, meeting.owner);
    return {
      values: { name: meeting.title, day, email },
      lookUps: [
        gold('find_person', { email }),
        gold('list_meetings', { person: meeting.owner }),
        gold('get_meeting', { meeting: meeting.id }),
      ],
      acts: [gold('move_meeting', { meeting: meeting.id, day })],
      read: [`meetings/${meeting.id}`],
      ...(isForbidden ? { rule: 'fixed_meeting' } : {}),
    };
  },
  *solve(asked) {
    const { id, found } = yield* findOwn(asked, ownMeeting);
    if (found['kind'] === 'fixed') return forbidden('fixed_meeting');
    yield* act(asked, 'move_meeting', { meeting: id, day: asked.values['day'] ?? '' });
    return done;
  },
};

const callOff: Form<OfficeTables> = {
  name: 'call-off',
  kind: 'act',
  wordings: [
    'Please call off my meeting[ {meeting}].',
    'A meeting of mine[, {meeting},] will not take place.',
    'We do not need to meet any more[: {meeting}].',
  ],
  slot: meetingSlot,
  needs: 'call_off_meeting',
  isRuled: true,
  draw: (rng, { share: part, isForbidden, rows }) => {
    const { id } = rng.pick(
      inShare(rows.meetings, part).filter(({ kind }) => (kind === 'fixed') === isForbidden),
    );
    return {
      values: { meeting: id },
      lookUps: [gold('get_meeting', { meeting: id })],
      acts: [gold('call_off_meeting', { meeting: id })],
      read: [`meetings/${id}`],
      ...(isForbidden ? { rule: 'fixed_meeting' } : {}),
    };
  },
  *solve(asked) {
    const { value, found } = yield* lookUp(asked, meetingSlot, { tool: 'get_meeting', argument: 'meeting' });
    if (found['kind'] === 'fixed') return forbidden('fixed_meeting');
    yield* act(asked, 'call_off_meeting', { meeting: value });
    return done;
  },
};

const mail: Form<OfficeTables> = {
  name: 'mail',
  kind: 'act',
  wordings: [
    'Please send a mail with the subject "{subject}"[ to {email}].',
    'Somebody[, {email},] should get the mail "{subject}".',
    'Write "{subject}" to a colleague of mine[: {email}].',
  ],
  slot: emailSlot,
  needs: 'send_mail',
  isRuled: false,
  draw: (rng, { share: part, rows }) => {
    const person = rng.pick(inShare(rows.people, part));
    const subject = rng.pick(rows.files).name;
    return {
      values: { subject, email: person.email },
      lookUps: [gold('find_person', { email: person.email })],
      acts: [gold('send_mail', { person: person.id, subject })],
      read: [],
    };
  },
  *solve(asked) {
    const { found } = yield* lookUp(asked, emailSlot, { tool: 'find_person', argument: 'email' });
    yield* act(asked, 'send_mail', { person: found['person'] ?? '', subject: asked.values['subject'] ?? '' });
    return done;
  },
};

/** What can be wrong with a phone, and the user's tool against it. */
const phoneFaults = [
  { phone: { flightMode: 'on', sync: 'running', memory: 'enough' }, tool: 'leave_flight_mode', sign: '"on"' },
  { phone: { flightMode: 'off', sync: 'stopped', memory: 'enough' }, tool: 'start_sync', sign: 'stopped' },
  {
    phone: { flightMode: 'off', sync: 'running', memory: 'exhausted' },
    tool: 'erase_photos',
    sign: 'exhausted',
  },
] as const;

const byUser = (name: string): GoldCall => ({ by: 'user', name, arguments: {} });

/** Only the user can reach the phone: the agent says what to do. */
const phone: Form<OfficeTables> = {
  name: 'phone',
  kind: 'act',
  wordings: [
    'My phone gets no mails about "{subject}".',
    'The mails about "{subject}" do not come to my phone.',
    'Nothing about "{subject}" arrives on my phone.',
  ],
  isRuled: false,
  draw: (rng, { share: part, rows }) => {
    const fault = rng.pick(phoneFaults);
    const { name } = rng.pick(inShare(rows.files, part));
    return {
      values: { subject: name },
      lookUps: [byUser('check_phone')],
      acts: [byUser(fault.tool)],
      read: ['phones/mine'],
      facts: { phones: [{ id: 'mine', ...fault.phone }] },
    };
  },
  *solve() {
    const seen = yield* letUser('check_phone');
    const fault = phoneFaults.find(({ sign }) => seen.includes(sign));
    if (fault !== undefined) yield* letUser(fault.tool);
    return done;
  },
};

const hour: Form<OfficeTables> = {
  name: 'hour',
  kind: 'tell',
  wordings: [
    'At which hour is my meeting "{name}"?[ My email address is {email}.]',
    '[I am {email}. ]Tell me the hour of "{name}".',
    '[This is {email}. ]I need the hour for "{name}".',
  ],
  slot: emailSlot,
  needs: 'get_meeting',
  isRuled: false,
  draw: (rng, { share: part, rows }) => {
    const meeting = rng.pick(inShare(rows.meetings, part));
    const email = emailOf(rows, meeting.owner);
    return {
      values: { name: meeting.title, email },
      lookUps: [
        gold('find_person', { email }),
        gold('list_meetings', { person: meeting.owner }),
        gold('get_meeting', { meeting: meeting.id }),
      ],
      acts: [],
      tell: [meeting.hour],
      read: [`meetings/${meeting.id}`],
    };
  },
  *solve(asked) {
    const { found } = yield* findOwn(asked, ownMeeting);
    yield* tell('hour', found['hour']);
    return done;
  },
};

const folder: Form<OfficeTables> = {
  name: 'folder',
  kind: 'tell',
  wordings: [
    'In which folder is the file[ {file}]?',
    'Tell me the folder of a file[, {file}].',
    'Which folder holds a thing of mine[: {file}]?',
  ],
  slot: fileSlot,
  needs: 'get_file',
  isRuled: false,
  draw: (rng, { share: part, rows }) => {
    const file = rng.pick(inShare(rows.files, part));
    return {
      values: { file: file.id },
      lookUps: [gold('get_file', { file: file.id })],
      acts: [],
      tell: [file.folder],
      read: [`files/${file.id}`],
    };
  },
  *solve(asked) {
    const { found } = yield* lookUp(asked, fileSlot, { tool: 'get_file', argument: 'file' });
    yield* tell('folder', found['folder']);
    return done;
  },
};

export const officeForms = [share, put, move, callOff, mail, phone, hour, folder];
