import { canonicalJson, type Json } from '../../core/json.ts';

/** Fewer questions say too little: a member may equal the solution by chance. */
const leastQuestions = 8;

/** Looks for a member of the question that is the solution in every question. */
export class LeakSearch {
  /** Members that were the solution so far; undefined before the first question. */
  #paths: ReadonlySet<string> | undefined;
  #questions = 0;
  readonly #solutions = new Set<string>();

  look(question: Json, solution: unknown, gold: string): void {
    this.#questions += 1;
    this.#solutions.add(gold);
    if (this.#paths?.size === 0) return;
    const forms = new Set([canonicalJson(gold), ...jsonOf(solution)]);
    const found = new Set<string>();
    collect(question, '', (path, value) => {
      if ((this.#paths?.has(path) ?? true) && forms.has(canonicalJson(value))) found.add(path);
    });
    this.#paths = found;
  }

  /** The path of such a member, such as `.answer`; undefined where there is none. */
  path(): string | undefined {
    if (this.#questions < leastQuestions || this.#solutions.size === 1) return undefined;
    return [...(this.#paths ?? [])][0];
  }
}

/** The solution as canonical JSON. Nothing for a value that JSON does not have, such as a map. */
function jsonOf(solution: unknown): readonly string[] {
  try {
    return [canonicalJson(solution)];
  } catch {
    return [];
  }
}

/** Calls `take` with every member of a value, and its path. */
function collect(value: Json, path: string, take: (path: string, value: Json) => void): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`;
    take(inside, member as Json);
    collect(member as Json, inside, take);
  }
}
