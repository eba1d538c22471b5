import type { PlainGame } from './plain-game.ts';

interface Alternative {
  readonly condition?: string;
  readonly rhs: string;
}

type Rules = Readonly<Record<string, readonly Alternative[]>>;

const always = (rhs: string): readonly Alternative[] => [{ rhs }];

const help = [
  '#nothing#', // preserves the line break after it
  'Available commands:',
  '  look:                             look around your current location',
  '  inventory:                        check your current inventory',
  '  go to (receptacle):               move to a receptacle',
  '  open (receptacle):                open a receptacle',
  '  close (receptacle):               close a receptacle',
  '  take (object) from (receptacle):  take an object from a receptacle',
  '  move (object) to (receptacle):  place an object in or on a receptacle',
  '  examine (something):              examine a receptacle or an object',
  '  use (object):                     use an object',
  '  heat (object) with (receptacle):  heat an object using a receptacle',
  '  clean (object) with (receptacle): clean an object using a receptacle',
  '  cool (object) with (receptacle):  cool an object using a receptacle',
  '  slice (object) with (object):     slice an object using a sharp object',
  '',
].join('\n');

/** The texts that all actions share. */
const shared: Rules = {
  nothing: always(''),
  list_empty: always('nothing'),
  list_separator: always(', '),
  list_last_separator: always(', and '),
  // The opening text leaves l free and lists the whole room. `look` binds l to where the player is, as in ALFWorld's grammar: before the
  // player has gone anywhere there is nothing.
  room: always("[{r.indefinite + ' ' + r.name | receptacleatlocation(r:receptacle, l:location)}]"),
  contents: always("[{o.indefinite + ' ' + o.name | inreceptacle(o:object, r:receptacle)}]"),
  sight: [
    {
      condition: 'openable(r:receptacle) & opened(r:receptacle)',
      rhs: 'The {r.name} is open. In it, you see #contents#.',
    },
    { condition: 'openable(r:receptacle)', rhs: 'The {r.name} is closed.' },
    { rhs: 'On the {r.name}, you see #contents#.' },
  ],
  surroundings: [
    {
      condition: 'atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)',
      rhs: 'You are facing the [{r.name | atlocation(a:agent, l:location) & receptacleatlocation(r:receptacle, l:location)}]. Next to it, you see nothing.',
    },
    { rhs: 'You are in the middle of a room. Looking quickly around you, you see #room#.' },
  ],
  hand: [
    {
      condition: 'holdsany(a:agent)',
      rhs: "You are carrying: [{o.indefinite + ' ' + o.name | holds(a:agent, o:object)}].",
    },
    { rhs: 'You are not carrying anything.' },
  ],
  state: [
    { condition: 'ishot(o:object) & isclean(o:object)', rhs: 'hot and clean' },
    { condition: 'ishot(o:object)', rhs: 'hot' },
    { condition: 'iscool(o:object) & isclean(o:object)', rhs: 'cool and clean' },
    { condition: 'iscool(o:object)', rhs: 'cool' },
    { rhs: 'clean' },
  ],
  thing: [
    { condition: 'isreceptacleobject(o:object)', rhs: 'This is a normal {o.name}. In it, you see nothing.' },
    ...['ishot', 'iscool', 'isclean'].map((state) => ({
      condition: `issliced(o:object) & ${state}(o:object)`,
      rhs: 'This is a #state# sliced {o.name}.',
    })),
    { condition: 'issliced(o:object)', rhs: 'This is a sliced {o.name}.' },
    ...['ishot', 'isclean'].map((state) => ({
      condition: `${state}(o:object)`,
      rhs: 'This is a #state# {o.name}.',
    })),
    { condition: 'iscool(o:object)', rhs: 'This is a cold {o.name}.' },
    { rhs: "There's nothing special about {o.name}." },
  ],
};

/** The texts of an action: the command, and the symbol of the answer. */
interface Wording {
  readonly command: string;
  readonly answer: string;
}

function wordings(isClassic: boolean): Readonly<Record<string, Wording>> {
  return {
    look: { command: 'look', answer: '#surroundings#' },
    inventory: { command: 'inventory', answer: '#hand#' },
    ...(isClassic ? {} : { help: { command: 'help', answer: '#help#' } }),
    GotoLocation: {
      command: 'go to {r}',
      answer: `You arrive at {${isClassic ? 'lend' : 'r'}.name}. #sight#`,
    },
    OpenObject: { command: 'open {r}', answer: 'You open the {r.name}. #sight#' },
    CloseObject: { command: 'close {r}', answer: 'You close the {r.name}.' },
    examineReceptacle: { command: 'examine {r}', answer: '#sight#' },
    examineObject: { command: 'examine {o}', answer: '#thing#' },
    PickupObject: { command: 'take {o} from {r}', answer: 'You pick up the {o.name} from the {r.name}.' },
    PutObject: isClassic
      ? { command: 'put {o} in/on {r}', answer: 'You put the {o.name} in/on the {r.name}.' }
      : { command: 'move {o} to {r}', answer: 'You move the {o.name} to the {r.name}.' },
    CleanObject: { command: 'clean {o} with {r}', answer: 'You clean the {o.name} using the {r.name}.' },
    HeatObject: { command: 'heat {o} with {r}', answer: 'You heat the {o.name} using the {r.name}.' },
    CoolObject: { command: 'cool {o} with {r}', answer: 'You cool the {o.name} using the {r.name}.' },
    ToggleObject: { command: 'use {o}', answer: 'You turn on the {o.name}.' },
    SliceObject: { command: 'slice {co} with {ko}', answer: 'You sliced the {co.name} with the {ko.name}.' },
  };
}

/** The text grammar of a game, in TextWorld's second format. */
export function grammarText({ instruction, dialect }: Pick<PlainGame, 'instruction' | 'dialect'>): string {
  const isClassic = dialect === 'classic';
  const actions = Object.entries(wordings(isClassic));
  const rules: Rules = {
    intro: always('-= Welcome to TextWorld, ALFRED! =-\n\n#surroundings#\n\n#task#'),
    task: always(`Your task is to: ${instruction}`),
    ...shared,
    ...(isClassic ? {} : { help: always(help) }),
    ...Object.fromEntries(actions.map(([name, { answer }]) => [`${name}.answer`, always(answer)])),
  };
  const blocks = actions.map(
    ([name, { command }]) =>
      `action ${name} {\n    template :: "${command}";\n    feedback :: "#${name}.answer#";\n}`,
  );
  return `grammar :: """\n${JSON.stringify(rules, undefined, 2)}\n""";\n\n${blocks.join('\n\n')}\n`;
}
