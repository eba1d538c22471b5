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
        ({ kind, isRuled, slot }) =>
          (of === 'any' || kind === of) &&
          (!isForbidden || isRuled) &&
          (!(family === 'missing-parameter' || family === 'user-slip') || slot !== undefined),
      ),
    );
    const wording = panel === 'unseen-words' ? form.wordings[2] : own.pick(form.wordings.slice(0, 2));
    return { form, wording, of: form.draw(own, { share, isForbidden, rows: source.rows }), rng: own };
  };
  const task = { family, start: source.rows };
  switch (family) {
    case 'tell':
      return { ...task, requests: [requestOf(drawOne('one', 'tell'))] };
    case 'act':
      return { ...task, requests: [requestOf(drawOne('one', 'act'))] };
    case 'refuse':
      return { ...task, requests: [requestOf(drawOne('one', 'act', true))] };
    case 'missing-tool': {
      const drawn = drawOne('one', 'act');
      const { lookUps, read } = drawn.of;
      const says = fillIn(drawn.wording, drawn.of.values);
      return {
        ...task,
        withheld: [drawn.form.needs],
        requests: [{ says, gold: [...lookUps], read: [...read], end: 'transfer' }],
      };
    }
    case 'missing-parameter':
    case 'user-slip':
      return { ...task, requests: [withSlot(drawOne('one', 'any'), family === 'user-slip')] };
    case 'retry': {
      const drawn = drawOne('one', 'act');
      const names = [...drawn.of.lookUps, ...drawn.of.acts].flatMap(({ by, name }) =>
        by === undefined ? [name] : [],
      );
      return { ...task, failures: { [rng.pick(names)]: 1 + rng.int(2) }, requests: [requestOf(drawn)] };
    }
    case 'several': {
      const drawn = [drawOne('one', 'act'), drawOne('two', rng.pick(['tell', 'act'] as const))];
      return { ...task, requests: drawn.map(requestOf) };
    }
    default:
      return family satisfies never;
  }
}

/** A form with one of its cases, in one of its wordings. */
interface Drawn<Schemas extends TableSchemas> {
  readonly form: Form<Schemas>;
  readonly wording: string;
  readonly of: Case;
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
