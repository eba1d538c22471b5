import { tokenSetRatio } from '../../engines/fuzzy/token-set-ratio.ts';
import { pythonRepr } from '../../engines/python-text/python-text.ts';
import type { Product } from '../catalogue/product.ts';
import type { Goal, GoalOption } from '../goals/goal.ts';
import { colourAmong, colourOf } from './colours.ts';
import type { NounSource, Purchase, Score } from './score.ts';

/** Texts with a higher similarity count as equal. */
const sameAbove = 85;

/** Whether options of synthetic goals are compared by their values alone, as people would. */
interface ScoringRules {
  readonly strict: boolean;
}

const faithful: ScoringRules = { strict: false };

/**
 * WebShop's reward (Yao et al., 2022, arXiv:2207.01206, section 3.2; its code at 64fa2a5): the share of the
 * requirements that the purchase meets, times the score of its type.
 */
export function scorePurchase(
  purchase: Purchase,
  goal: Goal,
  nouns: NounSource,
  manner: ScoringRules = faithful,
): Score {
  const { product, price } = purchase;
  const kind = scoreType(product, goal, nouns);
  const attributesMatched = goal.attributes.filter((attribute) => hasAttribute(product, attribute)).length;
  const optionsMatched = countOptions([...purchase.options.values()], goal.options, manner);
  const priceFits = price <= goal.priceUpper;
  const asked = goal.attributes.length + goal.options.length + 1;
  const met = attributesMatched + optionsMatched + (priceFits ? 1 : 0);
  return { ...kind, attributesMatched, optionsMatched, priceFits, asked, total: kind.type * (met / asked) };
}

type TypeScore = Pick<Score, 'type' | 'titleScore' | 'queryMatches' | 'categoryMatches'>;

/** Scores the type of the product: by query, by categories, by the nouns of the title. */
export function scoreType(
  product: Pick<Product, 'name' | 'query' | 'productCategory'>,
  goal: Pick<Goal, 'name' | 'query' | 'productCategory'>,
  nouns: NounSource,
): TypeScore {
  const queryMatches = product.query === goal.query;
  const categories = categoriesOf(product.productCategory);
  const shared = [...categoriesOf(goal.productCategory)].filter((category) => categories.has(category));
  const categoryMatches = shared.length >= 2;
  const titleScore = scoreTitle(nouns.nounsOf(product.name), nouns.nounsOf(goal.name));
  return {
    type: typeOf(queryMatches || categoryMatches || titleScore > 0.2, titleScore),
    titleScore,
    queryMatches,
    categoryMatches,
  };
}

/** A title without a common noun outweighs every match. */
function typeOf(matches: boolean, titleScore: number): number {
  if (titleScore === 0) return 0;
  if (titleScore < 0.1) return 0.1;
  return matches ? 1 : 0.5;
}

/** Shared nouns count once, the goal's nouns as often as its title has them. */
function scoreTitle(bought: readonly string[], wanted: readonly string[]): number {
  if (wanted.length === 0) return 0.2;
  const have = new Set(bought);
  return [...new Set(wanted)].filter((noun) => have.has(noun)).length / wanted.length;
}

function categoriesOf(path: string): ReadonlySet<string> {
  return new Set(path.split('›').map((category) => category.trim()));
}

/**
 * Whether one of the product's attributes is similar to it, or the product's words contain it. As in the
 * original, the required attribute is case-sensitive. The words are checked first, because that is fast.
 */
export function hasAttribute(
  product: Pick<Product, 'name' | 'attributes' | 'bulletPoints' | 'description'>,
  attribute: string,
): boolean {
  if (
    [product.name, product.bulletPoints.join(' '), product.description].some((text) =>
      text.toLowerCase().includes(attribute),
    )
  )
    return true;
  return product.attributes.some((own) => tokenSetRatio(own, attribute) > sameAbove);
}

/** The number of required options that were chosen. */
export function countOptions(
  chosen: readonly string[],
  asked: readonly GoalOption[],
  { strict }: ScoringRules = faithful,
): number {
  const bought = chosen.map(colourOf);
  const wanted = asked.map(({ name, value }) => normaliseOption({ name: strict ? undefined : name, value }));
  return wanted.filter((option) => bought.some((value) => tokenSetRatio(value, option) > sameAbove)).length;
}

/**
 * Normalizes an option for the comparison. A human goal's option is its value, as a colour where it contains
 * one.
 *
 * The original compares a synthetic goal's option as Python's tuple of name and value. It is a colour only
 * where one of the two equals a colour word. Otherwise it is the printed tuple, in which a value without a
 * colour word is still found. A value that contains a colour word, such as blueberry, can never match.
 * Neither can most values with a character that Python escapes, such as a no-break space, whose escape
 * consists of letters. An option's own name matches. `strict` compares values.
 */
function normaliseOption({ name, value }: GoalOption): string {
  if (name === undefined) return colourOf(value);
  return colourAmong([name, value]) ?? `(${pythonRepr(name)}, ${pythonRepr(value)})`;
}
