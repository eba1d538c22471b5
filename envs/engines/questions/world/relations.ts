/** The kinds of entities that have pages. */
export const entityKinds = ['person', 'work', 'organisation', 'town', 'event'] as const;
export type EntityKind = (typeof entityKinds)[number];

/** What a relation leads to: an entity, or a value that ends a chain. */
export type Target = EntityKind | 'region' | 'year';

/** How a relation is worded. */
export interface RelationForms {
  readonly name: string;
  /** The kind of its subjects. */
  readonly from: string;
  /** The kind of its objects. */
  readonly to: string;
  /** Sentences of a page. `S` is the subject, `O` the object. */
  readonly statements: readonly string[];
  /** Noun phrases for a question that goes on; `X` is the subject. None where the object ends a chain. */
  readonly phrases: readonly string[];
  /** Questions that end with this relation. */
  readonly questions: readonly string[];
}

export interface Relation extends RelationForms {
  readonly from: EntityKind;
  readonly to: Target;
}

/** All facts that pages state. Every relation is a function: a subject has one object. */
export const relations: readonly Relation[] = [
  {
    name: 'birthplace',
    from: 'person',
    to: 'town',
    statements: [
      'S was born in O.',
      'O is the birthplace of S.',
      'S came into the world in O, the eldest of three.',
      'The cradle of S stood in O.',
    ],
    phrases: ['the birthplace of X', 'the native town of X', 'the town where X grew up'],
    questions: ['In which town was X born?', 'What is the birthplace of X?', 'Which town does X come from?'],
  },
  {
    name: 'employer',
    from: 'person',
    to: 'organisation',
    statements: [
      'The O has employed S for many years.',
      'S works for the O.',
      'S is on the payroll of the O.',
      'S holds a post at the O.',
    ],
    phrases: ['the organisation that employs X', 'the house that X works for', 'the employer of X'],
    questions: ['Which organisation employs X?', 'Where does X work?', 'Who is the employer of X?'],
  },
  {
    name: 'mentor',
    from: 'person',
    to: 'person',
    statements: [
      'O was the mentor of S.',
      'S was taught by O.',
      'S learnt the trade under O.',
      'The teacher of S was O.',
    ],
    phrases: ['the mentor of X', 'the person who taught X', 'the teacher of X'],
    questions: ['Who was the mentor of X?', 'Who taught X?', 'Under whom did X learn the trade?'],
  },
  {
    name: 'patron',
    from: 'person',
    to: 'person',
    statements: [
      'O was the patron of S.',
      'S was supported by O with money.',
      'The journeys of S were paid for by O.',
      'S owed every commission to O.',
    ],
    phrases: ['the patron of X', 'the person who supported X', 'the person who paid for the journeys of X'],
    questions: ['Who was the patron of X?', 'Who supported X with money?', 'Who paid for the journeys of X?'],
  },
  {
    name: 'born',
    from: 'person',
    to: 'year',
    statements: [
      'The year of birth is O.',
      'The parish book has the birth of S under the year O.',
      'S saw the light of day in O.',
      'S was a child of the year O.',
    ],
    phrases: [],
    questions: ['What is the year of birth of X?', 'In which year was X born?'],
  },
  {
    name: 'author',
    from: 'work',
    to: 'person',
    statements: [
      'O wrote S in one winter.',
      'The author of S is O.',
      'S was written by O.',
      'S comes from the pen of O.',
    ],
    phrases: ['the person who wrote X', 'the author of X', 'the writer of X'],
    questions: ['Who wrote X?', 'Who is the author of X?', 'From whose pen does X come?'],
  },
  {
    name: 'publisher',
    from: 'work',
    to: 'organisation',
    statements: [
      'The O published S.',
      'The O brought S out.',
      'S appeared with the O.',
      'The first edition of S was printed at the O.',
    ],
    phrases: ['the house that published X', 'the organisation that brought X out', 'the publisher of X'],
    questions: ['Who published X?', 'Which organisation brought X out?', 'Who is the publisher of X?'],
  },
  {
    name: 'setting',
    from: 'work',
    to: 'town',
    statements: [
      'S is set in O.',
      'S takes place in O.',
      'Readers of S find themselves in O.',
      'All chapters play in O.',
    ],
    phrases: ['the town in which X is set', 'the place where X takes place', 'the setting of X'],
    questions: ['In which town is X set?', 'Where does X take place?', 'What is the setting of X?'],
  },
  {
    name: 'published',
    from: 'work',
    to: 'year',
    statements: [
      'S first appeared in O.',
      'The year of the first publication is O.',
      'It reached the shops in O.',
      'The first copies are dated O.',
    ],
    phrases: [],
    questions: ['In which year did X first appear?', 'When did X first appear?'],
  },
  {
    name: 'founder',
    from: 'organisation',
    to: 'person',
    statements: [
      'The S was founded by O.',
      'O founded the S.',
      'The founder of the S was O.',
      'The S goes back to O.',
    ],
    phrases: ['the person who founded X', 'the founder of X', 'the creator of X'],
    questions: ['Who founded X?', 'Who was the founder of X?', 'To whom does X go back?'],
  },
  {
    name: 'seat',
    from: 'organisation',
    to: 'town',
    statements: [
      'The S is based in O.',
      'The S has its seat in O.',
      'The main hall of the S stands in O.',
      'Letters to the S are sent to O.',
    ],
    phrases: ['the town where X is based', 'the seat of X', 'the home of X'],
    questions: [
      'In which town is X based?',
      'Where is the seat of X?',
      'In which town does X have its home?',
    ],
  },
  {
    name: 'founded',
    from: 'organisation',
    to: 'year',
    statements: [
      'The S was established in O.',
      'The S opened its doors in O.',
      'The charter of the S is dated O.',
      'The founding year is O.',
    ],
    phrases: [],
    questions: ['In which year was X established?', 'When did X open its doors?'],
  },
  {
    name: 'mayor',
    from: 'town',
    to: 'person',
    statements: [
      'The mayor of S is O.',
      'O governs S.',
      'O heads the council of S.',
      'At the town hall of S presides O.',
    ],
    phrases: ['the mayor of X', 'the person who governs X', 'the head of the council of X'],
    questions: ['Who is the mayor of X?', 'Who governs X?', 'Who heads the council of X?'],
  },
  {
    name: 'region',
    from: 'town',
    to: 'region',
    statements: [
      'S lies in the region O.',
      'S belongs to the region O.',
      'S is a town of O.',
      'The land around S is O.',
    ],
    phrases: [],
    questions: ['In which region does X lie?', 'To which region does X belong?'],
  },
  {
    name: 'winner',
    from: 'event',
    to: 'person',
    statements: [
      'O won the S.',
      'The winner of the S was O.',
      'The S was won by O.',
      'At the S the jury chose O.',
    ],
    phrases: ['the person who won X', 'the winner of X', 'the one whom the jury of X chose'],
    questions: ['Who won X?', 'Who was the winner of X?', 'Whom did the jury of X choose?'],
  },
  {
    name: 'venue',
    from: 'event',
    to: 'town',
    statements: [
      'The S was held in O.',
      'O hosted the S.',
      'Guests of the S came to O.',
      'The S took place in O.',
    ],
    phrases: ['the town where X was held', 'the town that hosted X', 'the venue of X'],
    questions: ['In which town was X held?', 'Which town hosted X?', 'Where did X take place?'],
  },
  {
    name: 'held',
    from: 'event',
    to: 'year',
    statements: [
      'The S fell into the year O.',
      'The programme of the S bears the year O.',
      'The S was announced for O.',
      'The S is remembered as that of O.',
    ],
    phrases: [],
    questions: ['In which year was X held?', 'When did X take place?'],
  },
];

export const relationsFrom = (kind: EntityKind): readonly Relation[] => byKind[kind];

const from = (kind: EntityKind): readonly Relation[] =>
  relations.filter((relation) => relation.from === kind);
const byKind: Readonly<Record<EntityKind, readonly Relation[]>> = {
  person: from('person'),
  work: from('work'),
  organisation: from('organisation'),
  town: from('town'),
  event: from('event'),
};

export const relationCalled = (name: string): Relation => {
  const found = relations.find((relation) => relation.name === name);
  if (found === undefined) throw new RangeError(`there is no relation ${name}`);
  return found;
};

/** Whether a chain of questions can go on from what a relation leads to. */
export const isEntityKind = (target: Target): target is EntityKind =>
  (entityKinds as readonly string[]).includes(target);
