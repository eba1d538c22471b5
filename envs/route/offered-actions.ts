import { mentionsIn } from '../engines/questions/answers/mentions.ts';
import { parseQuestion } from '../engines/questions/world/parse-question.ts';
import type { Relation } from '../engines/questions/world/relations.ts';
import type { RouteAction } from './action.ts';
import { levels as allLevels, priceWord, type Descriptor } from './models/descriptor.ts';
import { factQuestion, statedNames, topicsOf } from './models/knowledge.ts';
import { topicWords } from './models/roster.ts';

/** What is in sight at a decision. */
export interface Sight {
  readonly question: string;
  readonly models: readonly Descriptor[];
  /** Replies so far, in order. */
  readonly replies: readonly { readonly model: string; readonly query: string; readonly text: string }[];
  /** Whether a call is left. */
  readonly canCall: boolean;
}

/** A question that can be asked of a model. */
interface Query {
  readonly text: string;
  /** The facts that it asks for, where it has a form that is known. */
  readonly relations: readonly Relation[];
  readonly words: string;
}

/** Names of one reply that are offered as answers, so that a long reply gives no endless list. */
const mostNames = 20;
/** Names that a fact can be asked about at once. */
const mostLeads = 3;

/**
 * The actions worth choosing from: each question in sight for each model, with what is said of the model, and answers that
 * are names or years in the replies. It depends on what is shown alone.
 */
export function offeredActions(sight: Sight): readonly RouteAction[] {
  const asked = new Set(sight.replies.map(({ model, query }) => JSON.stringify([model, query])));
  const routes = !sight.canCall
    ? []
    : queriesOf(sight).flatMap((query) =>
        sight.models.flatMap((model): RouteAction[] =>
          asked.has(JSON.stringify([model.name, query.text]))
            ? []
            : [
                {
                  kind: 'route',
                  model: model.name,
                  query: query.text,
                  where: `${query.words}: ${wordsOf(model, query)}`,
                },
              ],
        ),
      );
  return [...routes, ...answersOf(sight)];
}

/** The whole question, and the questions for one fact that follow from what was said so far. */
function queriesOf({ question, replies }: Sight): readonly Query[] {
  const parsed = parseQuestion(question);
  if (parsed === undefined) return [{ text: question, relations: [], words: 'whole question' }];
  const { relations } = parsed;
  const whole = { text: question, relations, words: relations.length === 1 ? 'one fact' : 'whole question' };
  if (relations.length === 1) return [whole];
  const stages = statedNames(
    parsed,
    replies.map(({ text }) => text),
  );
  const reached = stages.findLastIndex((names) => names.length > 0);
  const steps = [reached, reached - 1].flatMap((at): readonly Query[] => {
    const relation = relations[at];
    if (relation === undefined) return [];
    const words = at === reached ? 'next fact' : 'last fact again';
    return (stages[at] ?? [])
      .slice(0, mostLeads)
      .map((name) => ({ text: factQuestion(relation, name), relations: [relation], words }));
  });
  return [whole, ...steps];
}

/** What is said of a model, as far as it matters for a question. */
function wordsOf({ levels, price, admits }: Descriptor, { relations }: Query): string {
  const found = new Set(topicsOf(relations).map((topic) => levels[topicWords[topic]]));
  const known = allLevels.filter((level) => found.has(level)); // the worst first
  return [
    ...(known.length === 0 ? [] : [`knowledge ${known.join(' and ')}`]),
    `price ${priceWord(price)}`,
    ...(admits === undefined ? [] : [admits ? 'admits' : 'guesses']),
  ].join(', ');
}

/** The names in the replies that their questions do not have, the newest first, with how they came up. */
function answersOf({ question, replies }: Sight): readonly RouteAction[] {
  const parsed = parseQuestion(question);
  const texts = replies.map(({ text }) => text);
  const last = parsed === undefined ? [] : (statedNames(parsed, texts).at(-1) ?? []);
  const counts = new Map<string, number>();
  for (const { text, query } of replies)
    for (const name of namesIn(text, `${question} ${query}`)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const newest = namesIn(replies.at(-1)?.text ?? '', `${question} ${replies.at(-1)?.query ?? ''}`);
  const known = [...counts].toReversed().map(([text, count]): RouteAction => {
    const says = [
      parsed === undefined ? 'named' : last.includes(text) ? 'at the end of the chain' : 'on the way',
      count > 1 ? 'by several' : 'once',
      newest.has(text) ? 'just now' : 'before',
    ];
    return { kind: 'answer', text, where: says.join(', ') };
  });
  return [...known, { kind: 'answer', text: 'unknown', where: 'without a name' }];
}

function namesIn(text: string, known: string): ReadonlySet<string> {
  const before = known.toLowerCase();
  const names = mentionsIn(text, '')
    .map(({ name }) =>
      name
        .replaceAll(/["“”<>\s]+/g, ' ')
        .trim()
        .slice(0, 200),
    )
    .filter((name) => name !== '' && !before.includes(name.toLowerCase()));
  return new Set(names.slice(0, mostNames));
}
