import { termsOf } from '../../engines/text-search/analyzer.ts';
import { englishAnalyzer } from '../../engines/text-search/english-analyzer.ts';
import { mentionsIn } from '../../engines/questions/answers/mentions.ts';
import { relationsFrom, type EntityKind, type Relation } from '../../engines/questions/world/relations.ts';

/**
 * Reads a question for one fact in free words, such as those of a language model: a name of the world, and the relation
 * whose wordings share most stems with the rest.
 */
export function guessQuestion(
  question: string,
  kindOf: (name: string) => EntityKind | undefined,
): { readonly subject: string; readonly relations: readonly Relation[] } | undefined {
  for (const { name } of mentionsIn(question, '')) {
    const candidates = [name, name.replace(/^the /i, ''), `The ${name}`];
    const subject = candidates.find((candidate) => kindOf(candidate) !== undefined);
    const kind = subject === undefined ? undefined : kindOf(subject);
    if (subject === undefined || kind === undefined) continue;
    const asked = new Set(termsOf(englishAnalyzer, question.replace(name, ' ')));
    const scored = relationsFrom(kind).map((relation) => ({ relation, score: sharedStems(relation, asked) }));
    const best = scored.toSorted((one, other) => other.score - one.score)[0];
    if (best !== undefined && best.score > 0) return { subject, relations: [best.relation] };
  }
  return undefined;
}

/** The best share of a wording's stems that the question has. */
function sharedStems({ name, questions, phrases }: Relation, asked: ReadonlySet<string>): number {
  const wordings = [name, ...questions, ...phrases].map((text) =>
    termsOf(englishAnalyzer, text.replace(/\bX\b/, ' ')),
  );
  return Math.max(
    0,
    ...wordings.map((stems) =>
      stems.length === 0 ? 0 : stems.filter((stem) => asked.has(stem)).length / stems.length,
    ),
  );
}
