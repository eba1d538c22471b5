import { createRng, type Rng } from '../core/rng.ts';
import type { TaskRef } from '../core/task.ts';
import type { TableRows, TableSchemas } from '../engines/tools/tables.ts';
import type { ToolRequest, ToolTask } from '../engines/tools/task.ts';
import { fillIn, type Case, type Form, type Share } from './form.ts';

/** Families of tasks, from easy to hard. The list has a family as often as its share of the tasks. */
export const families = [
  'tell',
  'act',
  'act',
  'refuse',
  'refuse',
  'missing-tool',
  'missing-parameter',
  'user-slip',
  'retry',
  'several',
] as const;
export type Family = (typeof families)[number];

export const panels = { train: 480, dev: 80, unseen: 120, 'unseen-words': 120 } as const;

/** What every agent reads, beside the rules of its world. */
export const policyFor = (place: string): string =>
  `You work ${place}. Do what the user wants unless a rule forbids it; look up first what the rule needs. If something is not said or not_found, ask. If a tool is unavailable, call it again. If there is no tool for it, transfer.`;

/** The main rows of each panel: no two panels share one. */
const shares: Readonly<Record<string, Share>> = {
  train: { from: 0, count: 5, of: 8 },
  dev: { from: 5, count: 1, of: 8 },
  unseen: { from: 6, count: 1, of: 8 },
  'unseen-words': { from: 7, count: 1, of: 8 },
};

/** Where the tasks of a world come from. */
export interface TaskSource<Schemas extends TableSchemas> {
  readonly world: string;
  readonly seed: number;
  readonly rows: TableRows<Schemas>;
  readonly forms: readonly Form<Schemas>[];
}

/** Draws a task: requests of the forms, with what makes the family hard. */
export function composeTask<Schemas extends TableSchemas>(
  source: TaskSource<Schemas>,
  { panel, index }: TaskRef,
): ToolTask<Schemas> {
  const rng = createRng(source.seed).fork(source.world).fork(panel).fork(index);
  const family = families[index % families.length] as Family;
  const share = shares[panel] as Share;
  const drawOne = (label: string, of: 'any' | 'tell' | 'act', isForbidden = false): Drawn<Schemas> => {
    const own = rng.fork(label);
    const form = own.pick(
      source.forms.filter(
        ({ kind, isRuled, slot, needs }) =>
          (of === 'any' || kind === of) &&
          (!isForbidden || isRuled) &&
          (!asksForSlot.has(family) || slot !== undefined) &&
          (!needsTool.has(family) || needs !== undefined),
      ),
    );
    const wording = panel === 'unseen-words' ? form.wordings[2] : own.pick(form.wordings.slice(0, 2));
    return { form, wording, of: form.draw(own, { share, isForbidden, rows: source.rows }), rng: own };
  };
  const drawn = [
    drawOne('one', family === 'tell' ? 'tell' : asksForSlot.has(family) ? 'any' : 'act', family === 'refuse'),
    ...(family === 'several' ? [drawOne('two', rng.pick(['tell', 'act'] as const))] : []),
  ];
  return {
    family,
    start: source.rows,
    ...factsOf(drawn),
    ...hardshipOf(family, drawn[0] as Drawn<Schemas>, rng),
    requests: drawn.map((one) => {
      if (family === 'missing-tool') return handedOver(one);
      return asksForSlot.has(family) ? withSlot(one, family === 'user-slip') : requestOf(one);
    }),
  };
}

const asksForSlot: ReadonlySet<Family> = new Set(['missing-parameter', 'user-slip']);
const needsTool: ReadonlySet<Family> = new Set(['missing-tool', 'retry']);

/** The missing tool of a task, or the tool that fails at first. */
function hardshipOf<Schemas extends TableSchemas>(
  family: Family,
  { form, of }: Drawn<Schemas>,
  rng: Rng,
): Pick<ToolTask<Schemas>, 'withheld' | 'failures'> {
  if (family === 'missing-tool') return { withheld: form.needs === undefined ? [] : [form.needs] };
  if (family !== 'retry') return {};
  const names = [...of.lookUps, ...of.acts].flatMap(({ by, name }) => (by === undefined ? [name] : []));
  return { failures: { [rng.pick(names)]: 1 + rng.int(2) } };
}

function factsOf<Schemas extends TableSchemas>(
  drawn: readonly Drawn<Schemas>[],
): Pick<ToolTask<Schemas>, 'facts'> {
  const facts = drawn.find(({ of }) => of.facts !== undefined)?.of.facts; // at most one form has any
  return facts === undefined ? {} : { facts };
}

/** A form with one of its cases, in one of its wordings. */
interface Drawn<Schemas extends TableSchemas> {
  readonly form: Form<Schemas>;
  readonly wording: string;
  readonly of: Case<Schemas>;
  readonly rng: Rng;
}

function requestOf<Schemas extends TableSchemas>({ wording, of }: Drawn<Schemas>): ToolRequest {
  const says = fillIn(wording, of.values);
  const { lookUps, acts, tell, read, rule } = of;
  return rule === undefined
    ? {
        says,
        gold: [...lookUps, ...acts],
        read: [...read],
        ...(tell === undefined ? {} : { tell: [...tell] }),
      }
    : { says, gold: [...lookUps], read: [...read], end: 'refuse', rule };
}

/** The request where its tool is missing: it is given to a person after the look-ups. */
function handedOver<Schemas extends TableSchemas>({ wording, of }: Drawn<Schemas>): ToolRequest {
  const { values, lookUps, read } = of;
  return { says: fillIn(wording, values), gold: [...lookUps], read: [...read], end: 'transfer' };
}

/** The request with a value left out of its message, which the user says when asked, wrong at first where it slips. */
function withSlot<Schemas extends TableSchemas>(drawn: Drawn<Schemas>, slips: boolean): ToolRequest {
  const { form, wording, of, rng } = drawn;
  const { slot } = form;
  if (slot === undefined) return requestOf(drawn);
  const answer = (value: string): string => `The ${slot.label} is "${value}".`;
  return {
    ...requestOf(drawn),
    says: fillIn(wording, of.values, slot.name),
    slots: {
      [slot.label]: {
        says: answer(of.values[slot.name] ?? ''),
        ...(slips ? { slip: answer(slot.wrong(rng)) } : {}),
      },
    },
  };
}
