/**
 * The content of an instruction, as far as its words alone show it. All in lower case, with single blanks and
 * no brackets.
 */
export interface InstructionParts {
  /** All of it without the price and without request phrases. */
  readonly wish: string;
  /** The wish without the options that it names as `name: value`. */
  readonly kind: string;
  readonly options: readonly { readonly name: string; readonly value: string }[];
  /** The maximum price in dollars; infinity where none is stated. */
  readonly priceUpper: number;
}

/** `lower than 50.00 dollars`, `under $50`, `for less than 50 usd`, and the like. */
const capPattern =
  /\b(?:lower than|less than|cheaper than|no more than|not more than|at most|up to|under|below|within)\s(?:usd\s?)?\$?\s?(\d[\d,]*(?:\.\d+)?)\s?(?:dollars?|usd|bucks?)?/g;

/** Words that introduce a price and mean nothing without it. */
const leading = new Set(
  'and with at for but that which is are has a the to be of price prices priced pricing cost costs costing budget range must should'.split(
    ' ',
  ),
);

const optionPattern = /(?:^|, and )([^:,]{1,40}): (.*?)(?=, and [^:,]{1,40}: |$)/g;

/** Request words at the start of an instruction, which name nothing. */
const asking = new Set(
  `i i'm im i'd id am would like love need want wanna looking look for find finding me us show get getting buy buying purchase shop shopping
  search searching please can could may you help to order a an the some any my our is are it interested in trying hoping seeking hunting
  of after where let's let we we're need needing hi hello hey on market pick up choose grab one`.split(/\s+/),
);

/** Parses an instruction. */
export function readInstruction(instruction: string): InstructionParts {
  const text = squeeze(instruction.toLowerCase().replaceAll(/[[\]]/g, ' '));
  const { priceless, priceUpper } = withoutPrice(text);
  const wish = withoutAsking(priceless.replace(/[\s.,;!?]+$/, ''));
  const at = startOfOptions(wish);
  const options = [...wish.slice(at + 'with '.length).matchAll(optionPattern)].map(
    ([, name = '', value = '']) => ({ name, value }),
  );
  const kind = wish.slice(0, at).trim();
  return { wish, kind: kind === '' ? wish : kind, options, priceUpper };
}

export const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/**
 * The start of a final part such as `with color: red, and size: large`; the end of the text where there is
 * none.
 */
function startOfOptions(text: string): number {
  for (let colon = text.indexOf(': '); colon >= 0; colon = text.indexOf(': ', colon + 1)) {
    const before = /(?:^|\s)with (?=[^:,]{1,40}$)(?!.*\bwith )/.exec(
      text.slice(Math.max(0, colon - 46), colon),
    );
    if (before !== null) return Math.max(0, colon - 46) + before.index + before[0].length - 'with '.length;
  }
  return text.length;
}

/** The text without its prices, and the lowest of them. */
function withoutPrice(text: string): { readonly priceless: string; readonly priceUpper: number } {
  let priceless = '';
  let priceUpper = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const match of text.matchAll(capPattern)) {
    priceUpper = Math.min(priceUpper, Number(match[1]?.replaceAll(',', '')));
    priceless += withoutLeading(text.slice(end, match.index));
    end = match.index + match[0].length;
  }
  return { priceless: squeeze(priceless + text.slice(end)), priceUpper };
}

/** The text without words at its end that introduce a price. */
function withoutLeading(text: string): string {
  const words = text.trimEnd().split(' ');
  while (leading.has(words.at(-1) ?? '')) words.pop();
  const last = words.at(-1) ?? '';
  return `${words.slice(0, -1).join(' ')} ${last.replace(/[,;]$/, '')} `;
}

function withoutAsking(text: string): string {
  const words = text.split(' ');
  const first = words.findIndex((word) => !asking.has(word.replaceAll(/[,.!]/g, '')));
  return first < 0 ? text : words.slice(first).join(' ');
}
