import type { SqlJs } from 'sql.js';
import { RunError } from '../../core/errors.ts';
import { createRng, type Rng } from '../../core/rng.ts';
import { canonicalJson } from '../../core/json.ts';
import { assertTask, type PanelInfo, type TaskRef } from '../../core/task.ts';
import type { Json } from '../../core/json.ts';
import { digestOf, shareBytes, type SharedDatabase, type SqlQuestion } from '../task.ts';
import type { QuestionSource } from '../question-source.ts';
import type { Blueprint } from './blueprint.ts';
import { heldOutBlueprints, trainBlueprints } from './blueprints.ts';
import { drawQuestion, type DrawnQuestion } from './draw-question.ts';
import { heldOutForms, trainForms } from './forms.ts';
import { makeDatabase, type MadeDatabase } from './make-database.ts';
import type { QuestionForm } from './question-form.ts';

interface PanelPlan extends Pick<PanelInfo, 'name' | 'purpose' | 'summary'> {
  readonly blueprints: readonly Blueprint[];
  readonly forms: readonly QuestionForm[];
  /** The number of databases of each blueprint. Each has one question of each form. */
  readonly databases: number;
}

/** Every panel has its own databases: the panel's name seeds their rows. */
const panelPlans: readonly PanelPlan[] = [
  {
    name: 'train',
    purpose: 'train',
    summary: 'questions to learn from',
    blueprints: trainBlueprints,
    forms: trainForms,
    databases: 10,
  },
  {
    name: 'dev',
    purpose: 'dev',
    summary: 'questions about other databases, to choose settings by',
    blueprints: trainBlueprints,
    forms: trainForms,
    databases: 1,
  },
  {
    name: 'test',
    purpose: 'held-out',
    summary: 'questions about other databases again',
    blueprints: trainBlueprints,
    forms: trainForms,
    databases: 1,
  },
  {
    name: 'unseen-schemas',
    purpose: 'held-out',
    summary: 'the same forms of questions about worlds that no training has seen',
    blueprints: heldOutBlueprints,
    forms: trainForms,
    databases: 2,
  },
  {
    name: 'unseen-forms',
    purpose: 'held-out',
    summary: 'forms of questions that no training has seen',
    blueprints: trainBlueprints,
    forms: heldOutForms,
    databases: 3,
  },
];

/** Draws of one form on one database before another is made, and databases before the form is given up. */
const drawsADatabase = 40;
const databasesATask = 40;
/** The most databases that are open at once. */
const mostOpen = 32;

/** A generated question, with its form and its parts. */
export interface GeneratedQuestion extends SqlQuestion {
  readonly drawn: DrawnQuestion;
  readonly form: string;
}

/** Our own databases and questions. Each is a function of (seed, panel, number), created on demand. */
export class GeneratedSource implements QuestionSource {
  readonly panels: readonly PanelInfo[] = panelPlans.map(
    ({ name, purpose, summary, blueprints, forms, databases }) => ({
      name,
      purpose,
      summary,
      size: blueprints.length * forms.length * databases,
    }),
  );
  readonly isOwn = true;
  readonly #engine: SqlJs;
  readonly #rng: Rng;
  readonly #open = new Map<string, Made>();
  readonly #questions = new Map<string, GeneratedQuestion>();
  /** The number of rejected draws by reason. */
  readonly rejected = new Map<string, number>();

  constructor(engine: SqlJs, seed: number) {
    this.#engine = engine;
    this.#rng = createRng(seed).fork('sql-v1');
  }

  question(ref: TaskRef): GeneratedQuestion {
    assertTask(this, 'sql-v1', ref);
    const id = `${ref.panel}/${ref.index}`;
    const known = this.#questions.get(id);
    if (known !== undefined) return known;
    const made = this.#make(ref);
    this.#questions.set(id, made);
    return made;
  }

  contentOf(ref: TaskRef): Json {
    const { question, gold, database } = this.question(ref);
    return { question, gold, database: database.digest };
  }

  close(): Promise<void> {
    for (const { made } of this.#open.values()) made.open.close();
    this.#open.clear();
    return Promise.resolve();
  }

  #make({ panel, index }: TaskRef): GeneratedQuestion {
    const plan = panelPlans.find(({ name }) => name === panel) as PanelPlan;
    const place = Math.floor(index / plan.forms.length);
    const blueprint = plan.blueprints[place % plan.blueprints.length] as Blueprint;
    const round = Math.floor(place / plan.blueprints.length);
    const rng = this.#rng.fork(panel).fork(index);
    for (let shift = 0; shift < plan.forms.length; shift += 1) {
      // some worlds have nothing for a form
      const form = plan.forms[(index + shift) % plan.forms.length] as QuestionForm;
      for (let variant = 0; variant < databasesATask; variant += 1) {
        const base = this.#database(blueprint, [panel, round, variant].join('/'));
        const drawn = this.#draw(form, base.made, rng.fork(form.name).fork(variant));
        if (drawn === 'unfit') break;
        if (drawn === undefined) continue;
        const { question, gold, goldRows } = drawn;
        return {
          family: form.level,
          form: form.name,
          question,
          gold,
          goldRows,
          database: base.shared,
          drawn,
        };
      }
    }
    throw new RunError({
      where: `sql-v1, task ${panel}/${index}`,
      what: `no question about a ${blueprint.name} could be distinguished from its wrong variants.`,
      fix: 'Use another seed.',
    });
  }

  #draw(form: QuestionForm, made: MadeDatabase, rng: Rng): DrawnQuestion | 'unfit' | undefined {
    let isFit = false;
    for (let attempt = 0; attempt < drawsADatabase; attempt += 1) {
      const result = drawQuestion(form, made, rng.fork(attempt));
      if (result.kind === 'good') return result.drawn;
      if (result.kind === 'unfit') continue;
      isFit = true;
      this.rejected.set(result.why, (this.rejected.get(result.why) ?? 0) + 1);
    }
    return isFit ? undefined : 'unfit';
  }

  #database(blueprint: Blueprint, name: string): Made {
    const id = `${blueprint.name}/${name}`;
    const known = this.#open.get(id);
    if (known !== undefined) return known;
    const rng = this.#rng.fork('database').fork(id);
    const made = makeDatabase(this.#engine, blueprint, rng);
    const bytes = made.open.export(); // closes the handle's statements; queries still work
    const digest = digestOf(canonicalJson([...made.rows].map(([table, rows]) => [table, rows])));
    const both: Made = { made, shared: { id, schema: made.schema, bytes: shareBytes(bytes), digest } };
    this.#open.set(id, both);
    this.#forgetOldest();
    return both;
  }

  #forgetOldest(): void {
    const [oldest] = this.#open;
    if (oldest === undefined || this.#open.size <= mostOpen) return;
    oldest[1].made.open.close();
    this.#open.delete(oldest[0]);
  }
}

interface Made {
  readonly made: MadeDatabase;
  readonly shared: SharedDatabase;
}
