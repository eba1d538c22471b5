import { z } from 'zod';
import { definePuzzle } from '../../define-puzzle.ts';

const sides = ['top', 'right', 'front', 'left', 'back', 'bottom'] as const;
const side = z.enum(sides);
type Side = (typeof sides)[number];
const palette = [
  'red',
  'green',
  'blue',
  'yellow',
  'orange',
  'purple',
  'cyan',
  'magenta',
  'pink',
  'white',
  'gray',
  'violet',
  'brown',
  'black',
  'indigo',
  'gold',
  'silver',
] as const;
const colour = z.enum(palette);
type Colour = (typeof palette)[number];

const question = z.strictObject({
  /** The colours of top, right, front, left, back and bottom. */
  colours: z.array(colour).length(6),
  /** The side that each turn brings to the top. */
  turns: z.array(z.enum(['front', 'right', 'back', 'left', 'bottom'])).max(40),
  asked: z.array(side).min(1).max(6),
});
type Turn = Exclude<Side, 'top'>;

/** Where each side is taken from in a turn that brings a side to the top; sides that are not named stay. */
const turned: Readonly<Record<Turn, Partial<Readonly<Record<Side, Side>>>>> = {
  front: { top: 'front', back: 'top', bottom: 'back', front: 'bottom' },
  back: { top: 'back', front: 'top', bottom: 'front', back: 'bottom' },
  right: { top: 'right', left: 'top', bottom: 'left', right: 'bottom' },
  left: { top: 'left', right: 'top', bottom: 'right', left: 'bottom' },
  bottom: { top: 'bottom', bottom: 'top', front: 'back', back: 'front' },
};
const sources = Object.fromEntries(
  Object.entries(turned).map(([turn, from]) => [
    turn,
    sides.map((each) => sides.indexOf(from[each] ?? each)),
  ]),
);

interface Given {
  readonly colours: readonly Colour[];
  readonly turns: readonly Turn[];
  readonly asked: readonly Side[];
}

function answerOf({ colours, turns, asked }: Given): Colour[] {
  let cube: readonly Colour[] = colours;
  for (const turn of turns) cube = (sources[turn] ?? []).map((from) => cube[from] as Colour);
  return asked.map((each) => cube[sides.indexOf(each)] as Colour);
}

const isColour = (word: string): word is Colour => palette.some((each) => each === word);
const write = (answer: readonly Colour[]): string => answer.join(' ');

export const colourCube = definePuzzle({
  name: 'colour-cube',
  category: 'logic',
  summary: 'Colour cube: follow a cube with coloured sides through its turns',
  question,
  levels: [1, 3, 6, 12, 24],
  generate: (rng, count) => {
    const colours = rng.shuffle(palette).slice(0, 6);
    const turns = Array.from({ length: count }, () =>
      rng.pick(['front', 'right', 'back', 'left', 'bottom'] as const),
    );
    const asked = rng.shuffle(sides).slice(0, 3);
    const drawn = { colours, turns, asked };
    return { question: drawn, solution: answerOf(drawn) };
  },
  rules:
    'A cube has six coloured sides. It is turned over as described, always by the shortest way. When front or back comes to the top, left and right stay where they are. When left or right comes to the top, front and back stay. When the bottom comes to the top, the cube turns over the front: front and back swap too.',
  render: ({ colours, turns, asked }) =>
    [
      ...sides.map((each, at) => `The ${each} side is ${colours[at]}.`),
      ...turns.map((turn) => `The cube is turned so that the ${turn} side comes to the top.`),
      `Which colours are now at these sides, in this order: ${asked.join(', ')}?`,
    ].join('\n'),
  answer: {
    format: 'the colours in the order of the question, with blanks between them.',
    write,
    read: (text, { asked }) => {
      const words = text.toLowerCase().split(/[\s,]+/);
      const known = words.filter(isColour);
      return known.length === words.length && known.length === asked.length ? known : undefined;
    },
  },
  verify: (given, answer) => write(answerOf(given)) === write(answer),
  unique: true,
  solve: (given) => ({ answers: [answerOf(given)], effort: given.turns.length }),
  audit: {
    guess: ({ colours, asked }, rng) => rng.shuffle(colours).slice(0, asked.length),
    chance: 1 / 120,
    mutants: (answer, { colours, asked }) => ({
      'two colours swapped': [answer[1] as Colour, answer[0] as Colour, ...answer.slice(2)],
      'the sides before the turns, upside down': answerOf({
        colours: colours.toReversed(),
        turns: [],
        asked,
      }).every((each, at) => each === answer[at])
        ? undefined
        : answerOf({ colours: colours.toReversed(), turns: [], asked }),
      'another colour': [palette.find((each) => !colours.includes(each)) ?? 'red', ...answer.slice(1)],
    }),
    equivalents: (answer) => ({ commas: answer.join(', '), capitals: write(answer).toUpperCase() }),
  },
});
