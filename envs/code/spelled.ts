/** Signs in words. A policy that reads words, such as a choice policy, does not see signs. */
const signs: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '<': 'less than',
  '<=': 'at most',
  '>': 'greater than',
  '&': 'and',
  '|': 'or',
  '^': 'exclusive or',
  '~&': 'not and',
  '~^': 'not exclusive or',
  '&&': 'both',
  '||': 'either',
  '<<': 'shifted left',
  '>>': 'shifted right',
  '~': 'not',
  '!': 'not',
};

const ones = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
];
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/**
 * A piece in words: a sign, an integer below 1,000, a Verilog bit, a name after a sign. Anything else is
 * unchanged.
 */
export function spelled(piece: string): string {
  const {
    sign = '',
    bit,
    digits,
    name,
  } = /^(?<sign>[^\w\s]*)(?:(?:1'b(?<bit>[01]))|(?<digits>\d{1,3})|(?<name>[a-z]\w*))?$/i.exec(piece)
    ?.groups ?? {};
  const number = bit ?? digits;
  const rest = number === undefined ? name : numberInWords(Number(number));
  const before = sign === '' ? '' : signs[sign];
  if (before === undefined || (sign === '' && rest === undefined)) return piece;
  return [before, rest].filter((word) => word !== undefined && word !== '').join(' ');
}

function numberInWords(value: number): string {
  const word = ones[value];
  if (word !== undefined) return word;
  if (value < 100)
    return [tens[Math.floor(value / 10) - 2], ...(value % 10 === 0 ? [] : [ones[value % 10]])].join(' ');
  return [
    ones[Math.floor(value / 100)],
    'hundred',
    ...(value % 100 === 0 ? [] : [numberInWords(value % 100)]),
  ].join(' ');
}
