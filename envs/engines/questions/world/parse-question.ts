import { relations, type Relation } from './relations.ts';

/** The inner subject of a question and the relations from it to the answer; undefined for another form. */
export function parseQuestion(
  question: string,
): { readonly subject: string; readonly relations: readonly Relation[] } | undefined {
  for (const last of relations) {
    for (const form of last.questions) {
      const inner = between(question, form, 'X');
      if (inner === undefined) continue;
      const parsed = parsePhrase(inner);
      if (parsed !== undefined && fits(parsed, last))
        return { ...parsed, relations: [...parsed.relations, last] };
    }
  }
  return undefined;
}

function parsePhrase(
  phrase: string,
): { readonly subject: string; readonly relations: readonly Relation[] } | undefined {
  for (const relation of relations) {
    for (const form of relation.phrases) {
      const inner = between(phrase, form, 'X');
      if (inner === undefined) continue;
      const parsed = parsePhrase(inner);
      if (parsed !== undefined && fits(parsed, relation))
        return { ...parsed, relations: [...parsed.relations, relation] };
    }
  }
  const name = phrase.replace(/^the (?=\p{Lu})/u, '').replaceAll('"', '');
  return /^\p{Lu}/u.test(name) ? { subject: name, relations: [] } : undefined;
}

const fits = (
  { relations: before }: { readonly relations: readonly Relation[] },
  next: Relation,
): boolean => {
  const last = before.at(-1);
  return last === undefined || last.to === next.from;
};

/** The object of a relation in a text about the subject. */
export function objectIn(text: string, subject: string, { statements }: Relation): string | undefined {
  for (const sentence of text.split(/(?<=\.)\s+/)) {
    for (const form of statements) {
      const object =
        between(sentence, form.replace(/\bS\b/, subject), 'O') ??
        between(sentence, form.replace(/\bS\b/, `"${subject}"`), 'O');
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
