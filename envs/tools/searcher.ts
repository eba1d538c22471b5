import type { Searcher } from '../core/env.ts';
import { canonicalJson } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import type { Ongoing, Opening } from '../core/step.ts';
import type { ToolAction } from '../engines/tools/action.ts';
import type { ToolObservation } from '../engines/tools/observation.ts';
import type { TableSchemas } from '../engines/tools/tables.ts';
import { readValues, type Form } from './form.ts';
import { MissingTool, type Procedure } from './procedure.ts';

/** Knows the forms of requests and how each is done, and does it from what it sees. */
export class ToolSearcher<Schemas extends TableSchemas> implements Searcher<ToolObservation, ToolAction> {
  readonly #forms: readonly Form<Schemas>[];
  readonly #rng: Rng;
  #tools: ReadonlySet<string> = new Set();
  #procedure: Procedure | undefined;
  /** Whether the last action ended a request, so that a message of the user begins the next one. */
  #hasEnded = false;

  constructor(forms: readonly Form<Schemas>[], rng: Rng) {
    this.#forms = forms;
    this.#rng = rng;
  }

  act(turn: Opening<ToolObservation, ToolAction> | Ongoing<ToolObservation, ToolAction>): ToolAction {
    const { observation } = turn;
    if ('instruction' in turn) {
      this.#tools = new Set(observation.tools);
      this.#procedure = this.#begin(turn.instruction.slice(turn.instruction.lastIndexOf('User: ') + 6));
    } else if (this.#hasEnded) {
      this.#procedure = this.#begin(observation.user ?? '');
    }
    const chosen = this.#next(observation);
    this.#hasEnded = chosen.kind !== 'calls' && chosen.kind !== 'say';
    return turn.admissible?.find((offered) => canonicalJson(offered) === canonicalJson(chosen)) ?? chosen;
  }

  #begin(message: string): Procedure | undefined {
    for (const form of this.#forms) {
      for (const wording of form.wordings) {
        const values = readValues(wording, message);
        if (values === undefined) continue;
        return form.solve({ values, tools: this.#tools, order: (items) => this.#rng.shuffle(items) });
      }
    }
    return undefined;
  }

  #next(observation: ToolObservation): ToolAction {
    if (this.#procedure === undefined) return { kind: 'transfer' }; // a request that it cannot read
    try {
      const { done, value } = this.#procedure.next(observation);
      if (done === true) this.#procedure = undefined;
      return value;
    } catch (thrown) {
      if (thrown instanceof MissingTool) return { kind: 'transfer' };
      throw thrown;
    }
  }
}
