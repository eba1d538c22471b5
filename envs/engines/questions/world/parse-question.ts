import { relations, type Relation, type RelationForms } from './relations.ts';

/** A question taken apart. */
export interface ParsedQuestion<R extends RelationForms> {
  readonly subject: string;
  /** From the subject to the answer. */
  readonly relations: readonly R[];
}

/** Takes a question about a generated world apart; undefined for another form. */
export const parseQuestion = (question: string): ParsedQuestion<Relation> | undefined =>
  parseChain(question, relations);

/** The inner subject of a question and the relations from it to the answer; undefined for another form. */
export function parseChain<R extends RelationForms>(
  question: string,
  known: readonly R[],
): ParsedQuestion<R> | undefined {
  for (const last of known) {
    for (const form of last.questions) {
      const inner = between(question, form, 'X');
      if (inner === undefined) continue;
      const parsed = parsePhrase(inner, known);
      if (parsed !== undefined && fits(parsed, last))
        return { ...parsed, relations: [...parsed.relations, last] };
    }
  }
  return undefined;
}

function parsePhrase<R extends RelationForms>(
  phrase: string,
  known: readonly R[],
): ParsedQuestion<R> | undefined {
  for (const relation of known) {
    for (const form of relation.phrases) {
      const inner = between(phrase, form, 'X');
      if (inner === undefined) continue;
      const parsed = parsePhrase(inner, known);
      if (parsed !== undefined && fits(parsed, relation))
        return { ...parsed, relations: [...parsed.relations, relation] };
    }
  }
  const name = phrase.replace(/^the (?=\p{Lu})/u, '').replaceAll('"', '');
  return /^"[^"]+"$|^(?:the )?\p{Lu}/u.test(phrase) ? { subject: name, relations: [] } : undefined;
}

const fits = <R extends RelationForms>({ relations: before }: ParsedQuestion<R>, next: R): boolean => {
  const last = before.at(-1);
  return last === undefined || last.to === next.from;
};

/** The object of a relation in a text about the subject. */
export function objectIn(
  text: string,
  subject: string,
  { statements }: Pick<RelationForms, 'statements'>,
): string | undefined {
  for (const sentence of text.split(/(?<=\.)\s+/)) {
    for (const form of statements) {
      const object =
        between(
          sentence,
          form.replace(/\bS\b/, () => subject),
          'O',
        ) ??
        between(
          sentence,
          form.replace(/\bS\b/, () => `"${subject}"`),
          'O',
        );
      if (object !== undefined) return object.replaceAll('"', '');
    }
  }
  return undefined;
}

/** What stands at the mark of a form in a text that fits the form. */
function between(text: string, form: string, mark: 'X' | 'O'): string | undefined {
  const at = form.search(mark === 'X' ? /\bX\b/ : /\bO\b/);
  const [before, after] = [form.slice(0, at), form.slice(at + 1)];
  if (at < 0 || !text.startsWith(before) || !text.endsWith(after)) return undefined;
  if (text.length <= before.length + after.length) return undefined;
  return text.slice(before.length, text.length - after.length);
}
