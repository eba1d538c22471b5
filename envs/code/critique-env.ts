import { z } from 'zod';
import { defineEnv, type Env, type EnvHost, type Snapshots } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { createRng } from '../core/rng.ts';
import { reward, type Opening, type StepResult, type Turn } from '../core/step.ts';
import { assertTask, type PanelInfo, type TaskInfo, type TaskRef } from '../core/task.ts';
import type { Reply } from '../core/textual.ts';
import { ownPanelSizes, ownProblem, type OwnPanel } from './problems/own-panels.ts';
import { languages, type ProgramLanguage } from './problems/problem.ts';

const id = 'critique-v1';

const configSchema = z.strictObject({ language: z.enum(languages).default('python').describe('what the programs are written in') });

const observationSchema = z.strictObject({ program: z.string(), said: z.string() });
type Observation = Readonly<z.output<typeof observationSchema>>;

const actionSchema = z.strictObject({ verdict: z.enum(['right', 'wrong']).describe('whether the program solves the problem for every input') });
type Action = Readonly<z.output<typeof actionSchema>>;

const panelOf = (name: OwnPanel, purpose: PanelInfo['purpose'], summary: string): PanelInfo => ({ name, size: 2 * ownPanelSizes[name], purpose, summary });
const panels: readonly PanelInfo[] = [
  panelOf('train', 'train', 'two programs for each problem of code-v1, one of them right'),
  panelOf('dev', 'dev', 'other numbers and words in the same templates'),
  panelOf('unseen', 'held-out', 'templates that train and dev never have'),
];

/**
 * Says of a program whether it is right, as Critique-Coder trains it. Of the two programs of a problem one is the solution and one a slip made
 * in it that hidden tests tell; which comes first is drawn by lot. So half are right, and who always says the same earns one half. Nothing is
 * run: what is right is known from how the programs were made.
 */
export const critiqueEnv = defineEnv({
  id,
  summary: 'is this program right? Solutions of code-v1 and slips made in them, half and half; one verdict each',
  config: configSchema,
  observation: observationSchema,
  action: actionSchema,
  deterministic: true,
  turnLimit: () => 1,
  text: {
    observation: ({ program, said }: Observation) => (said === '' ? program : said),
    action: ({ verdict }: Action) => verdict,
    parse: parseVerdict,
  },
  open: ({ language }) => Promise.resolve(hostOf(language)),
});

/** One word, a tool call, or reasons with the verdict on the last line. */
function parseVerdict(text: string): Reply<Action> {
  const malformed: Reply<Action> = { kind: 'malformed', why: 'Say right or wrong; reasons go before it, on lines of their own.', text };
  const said = text.trim();
  if (said.startsWith('{')) {
    try {
      const call = actionSchema.safeParse(JSON.parse(said));
      return call.success ? { kind: 'action', action: call.data } : malformed;
    } catch {
      return malformed;
    }
  }
  const [, verdict] = /^(?:verdict|answer)?\s*:?\s*(?:it is )?(right|wrong)\.?$/i.exec(said.split('\n').at(-1)?.trim() ?? '') ?? [];
  return verdict === undefined ? malformed : { kind: 'action', action: { verdict: verdict.toLowerCase() === 'right' ? 'right' : 'wrong' } };
}

/** A program to judge. */
interface Case {
  readonly ref: TaskRef;
  readonly family: string;
  readonly instruction: string;
  readonly program: string;
  readonly isRight: boolean;
}

function caseOf(ref: TaskRef, language: ProgramLanguage): Case {
  assertTask({ panels }, id, ref);
  const own = ownProblem(ref.panel as OwnPanel, Math.floor(ref.index / 2));
  const rng = createRng(0).fork(id).fork(own.problem.name);
  const isRight = (ref.index % 2 === 0) === (rng.fork('order').int(2) === 0);
  const mutants = own.mutants().filter(({ slip }) => slip !== 'too slow');
  const program = own.write(isRight ? own.solution : rng.fork('mutant').pick(mutants).program, language);
  const instruction = `Does this program solve the problem for every input? Say right or wrong.\n${own.problem.statement}`;
  return { ref, family: own.problem.family, instruction, program, isRight };
}

function hostOf(language: ProgramLanguage): EnvHost<Observation, Action> {
  const made = new Map<string, Case>();
  const find = (ref: TaskRef): Case => {
    const key = `${ref.panel}/${ref.index}`;
    const found = made.get(key) ?? caseOf(ref, language);
    made.set(key, found);
    return found;
  };
  return {
    panels,
    describeTask: (ref): TaskInfo => {
      const { family, instruction, program, isRight } = find(ref);
      return { family, instruction, content: { instruction, program, isRight } };
    },
    create: async () => new CritiqueEnv(find),
    close: async () => made.clear(),
    experts: { planner: (ref) => [{ verdict: find(ref).isRight ? 'right' : 'wrong' }] },
    audit: { swapHidden: (snapshot) => ({ snapshot: { ...snapshot, world: { ...savedSchema.parse(snapshot.world), isRight: !savedSchema.parse(snapshot.world).isRight } }, reveals: () => true }) },
  };
}

const savedSchema = z.strictObject({ panel: z.string(), index: z.int(), isRight: z.boolean() });

class CritiqueEnv implements Env<Observation, Action> {
  readonly snapshots: Snapshots<Observation, Action> = {
    take: () => {
      const { ref, isRight } = this.#expect();
      return { world: { panel: ref.panel, index: ref.index, isRight }, episode: {}, steps: 0 };
    },
    restore: ({ world }) => {
      const { panel, index, isRight } = savedSchema.parse(world);
      this.#case = { ...this.#find({ panel, index }), isRight };
      return turnOf(this.#case);
    },
  };
  readonly #find: (ref: TaskRef) => Case;
  #case: Case | undefined;

  constructor(find: (ref: TaskRef) => Case) {
    this.#find = find;
  }

  async reset(ref: TaskRef): Promise<Opening<Observation, Action>> {
    this.#case = this.#find(ref);
    return { ...turnOf(this.#case), instruction: this.#case.instruction };
  }

  async step({ verdict }: Action): Promise<StepResult<Observation, Action>> {
    const given = this.#expect();
    this.#case = undefined;
    const isSolved = (verdict === 'right') === given.isRight;
    return {
      kind: 'terminated',
      outcome: isSolved ? 'solved' : 'failed',
      observation: { program: given.program, said: isSolved ? 'So it is.' : 'So it is not.' },
      reward: reward({ verdict: isSolved ? 1 : 0 }),
      inadmissible: false,
      stateKey: stateKeyOf(given),
    };
  }

  async close(): Promise<void> {
    this.#case = undefined;
  }

  #expect(): Case {
    if (this.#case !== undefined) return this.#case;
    throw new UsageError({ where: id, what: 'there is no episode under way.', mend: 'Call reset(task, context) first.' });
  }
}

const stateKeyOf = ({ ref, isRight }: Case): string => `${ref.panel}/${ref.index} ${isRight ? 1 : 0}`;

function turnOf(given: Case): Turn<Observation, Action> {
  return {
    observation: { program: given.program, said: '' },
    stateKey: stateKeyOf(given),
    anchorKey: `${given.ref.panel}/${given.ref.index}`,
    admissible: [{ verdict: 'right' }, { verdict: 'wrong' }],
    stepsLeft: undefined,
    seat: 0,
  };
}
