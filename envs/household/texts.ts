/** The sentences of the text grammar that both dialects share. */

/** `a X 2, a X 1, and a Y 1`: a comma even between two, and `a` before every noun. */
export function listNouns(names: readonly string[]): string {
  if (names.length === 0) return 'nothing';
  if (names.length === 1) return `a ${names[0]}`;
  return `a ${names.slice(0, -1).join(', a ')}, and a ${names.at(-1)}`;
}

export function openingText(receptacles: readonly string[], instruction: string): string {
  return `-= Welcome to TextWorld, ALFRED! =-\n\n${roomText(listNouns(receptacles))}\n\nYour task is to: ${instruction}`;
}

const roomText = (seen: string): string =>
  `You are in the middle of a room. Looking quickly around you, you see ${seen}.`;

/**
 * What `look` says before the player has gone anywhere. ALFWorld's grammar binds the location to the player's own there, where no
 * receptacle is; only the opening text lists the room.
 */
export const middleText = roomText('nothing');

/** The answer to `look` in front of a receptacle. The floor is always empty. */
export const facingText = (receptacle: string): string =>
  `You are facing the ${receptacle}. Next to it, you see nothing.`;

export const closedText = (receptacle: string): string => `The ${receptacle} is closed.`;
export const openText = (receptacle: string, contents: string): string =>
  `The ${receptacle} is open. In it, you see ${contents}.`;
export const surfaceText = (receptacle: string, contents: string): string =>
  `On the ${receptacle}, you see ${contents}.`;

/** The facts of an object in hand that its description depends on. */
export interface ObjectLook {
  /** Bowls, boxes and so on are described as containers, whatever was done to them. */
  readonly contains: boolean;
  readonly clean: boolean;
  readonly hot: boolean;
  readonly cool: boolean;
  readonly sliced: boolean;
}

/**
 * The answer to `examine` for an object. The order of the cases, and `cold` for what is only cool, follow the
 * grammar.
 */
export function objectText(name: string, look: ObjectLook): string {
  if (look.contains) return `This is a normal ${name}. In it, you see nothing.`;
  const { clean, hot, cool, sliced } = look;
  const conditions = [hot ? 'hot' : cool ? 'cool' : '', clean ? 'clean' : '']
    .filter((word) => word !== '')
    .join(' and ');
  if (conditions === '')
    return sliced ? `This is a sliced ${name}.` : `There's nothing special about ${name}.`;
  if (conditions === 'cool' && !sliced) return `This is a cold ${name}.`;
  return `This is a ${conditions} ${sliced ? 'sliced ' : ''}${name}.`;
}

export const helpText = [
  '',
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
