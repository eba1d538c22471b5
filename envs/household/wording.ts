import { goalTarget, type Family, type Goal } from './goal.ts';

/**
 * Sentences for the goals of each family, with `{object}` and `{target}` for the nouns. The task chooses one.
 */
export type Wording = Readonly<Record<Family, readonly string[]>>;

/** ALFWorld's own sentences. */
export const plainWording: Wording = {
  pick: ['put a {object} in {target}.', 'put some {object} on {target}.'],
  look: ['look at {object} under the {target}.', 'examine the {object} with the {target}.'],
  clean: ['put a clean {object} in {target}.', 'clean some {object} and put it in {target}.'],
  heat: ['put a hot {object} in {target}.', 'heat some {object} and put it in {target}.'],
  cool: ['put a cool {object} in {target}.', 'cool some {object} and put it in {target}.'],
  pick2: ['put two {object} in {target}.', 'find two {object} and put them in {target}.'],
};

/** The goal as a sentence. */
export function sayGoal(template: string, goal: Goal): string {
  return template.replace('{object}', goal.object).replace('{target}', goalTarget(goal));
}

/** The content of a goal's sentence. */
export interface GoalWords {
  readonly family: Family;
  readonly object: string;
  readonly target: string;
}

/** Parses a goal's sentence; undefined when it fits no template. */
export function readGoal(wordings: readonly Wording[], sentence: string): GoalWords | undefined {
  for (const wording of wordings) {
    for (const [family, templates] of Object.entries(wording) as [Family, readonly string[]][]) {
      for (const template of templates) {
        const match = patternOf(template).exec(sentence);
        if (match?.groups !== undefined) {
          return {
            family,
            object: match.groups['object'] as string,
            target: match.groups['target'] as string,
          };
        }
      }
    }
  }
  return undefined;
}

const patterns = new Map<string, RegExp>();

function patternOf(template: string): RegExp {
  let pattern = patterns.get(template);
  if (pattern === undefined) {
    const escaped = template.replaceAll(/[.?]/g, String.raw`\$&`);
    pattern = new RegExp(
      `^${escaped.replace('{object}', '(?<object>[a-z]+)').replace('{target}', '(?<target>[a-z]+)')}$`,
    );
    patterns.set(template, pattern);
  }
  return pattern;
}
