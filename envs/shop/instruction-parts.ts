/** What an instruction says, as far as its words alone tell. All in lower case, with single blanks and no brackets. */
export interface InstructionParts {
  /** All of it but the price and the words that only ask. */
  readonly wish: string;
  /** The wish without the options that it names as `name: value`. */
  readonly kind: string;
  readonly options: readonly { readonly name: string; readonly value: string }[];
  /** Dollars that it may cost; infinity where nothing is said. */
  readonly priceUpper: number;
}

/** `, and price lower than 50.00 dollars`, `under $50`, `for less than 50 dollars`, and the like. */
const pricePattern =
  /[,;]?\s*(?:\b(?:and|with|at|for|but|that|which|is|are|has|a|the|to|be)\s+)*(?:\b(?:price[ds]?|pricing|cost(?:s|ing)?|budget)\s+(?:(?:is|of|at|must|should|be|range)\s+)*)?\b(?:lower than|less than|cheaper than|no more than|not more than|at most|up to|under|below|within)\s+(?:usd\s*)?\$?\s*(\d[\d,]*(?:\.\d+)?)\s*(?:dollars?|usd|bucks)?/g;

/** `with color: red, and size: large` at the end of what is asked for. */
const optionsPattern = /(?:^|\s)with ((?:[^:,]{1,40}: .+))$/;
const optionPattern = /(?:^|, and )([^:,]{1,40}): (.*?)(?=, and [^:,]{1,40}: |$)/g;

/** Words that ask, at the start of an instruction, and name nothing. */
const asking = new Set(
  `i i'm im i'd id am would like love need want wanna looking look for find finding me us show get getting buy buying purchase shop shopping
  search searching please can could may you help to order a an the some any my our is are it interested in trying hoping seeking hunting
  after where let's let we we're need needing hi hello hey on market pick up choose grab one`.split(/\s+/),
);

/** Takes an instruction apart. */
export function readInstruction(instruction: string): InstructionParts {
  const text = squeeze(instruction.toLowerCase().replaceAll(/[[\]]/g, ' '));
  let priceUpper = Number.POSITIVE_INFINITY;
  const priceless = text.replaceAll(pricePattern, (_, amount: string) => {
    priceUpper = Math.min(priceUpper, Number(amount.replaceAll(',', '')));
    return ' ';
  });
  const wish = withoutAsking(squeeze(priceless).replace(/[\s.,;!?]+$/, ''));
  const listed = optionsPattern.exec(wish);
  const options = [...(listed?.[1] ?? '').matchAll(optionPattern)].map(([, name = '', value = '']) => ({ name, value }));
  const kind = listed === null ? wish : wish.slice(0, listed.index).trim();
  return { wish, kind: kind === '' ? wish : kind, options, priceUpper };
}

export const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function withoutAsking(text: string): string {
  const words = text.split(' ');
  const first = words.findIndex((word) => !asking.has(word.replaceAll(/[,.!]/g, '')));
  return first < 0 ? text : words.slice(first).join(' ');
}
