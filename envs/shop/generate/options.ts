import type { ProductOption } from '../catalogue/product.ts';
import type { Draw } from './draw.ts';
import type { ColorCoding, Line } from './line.ts';
import type { OptionKind } from './option-kind.ts';

/** The options of a product of the line. Names and style come from the line, the stock from the product. */
export function drawOptions(line: Line, draw: Draw): readonly ProductOption[] {
  const options: ProductOption[] = [];
  for (const kind of line.optionKinds) {
    const values = drawValues(kind, kind.coded ? line.coding : 'plain', draw);
    // clicks name a value alone, so it must identify its option
    const taken = options.flatMap((option) => option.values);
    options.push({ name: kind.name, values: values.filter((value) => !taken.includes(value)) });
  }
  return options;
}

function drawValues(kind: OptionKind, coding: ColorCoding, draw: Draw): readonly string[] {
  const { values, most } = kind;
  if (kind.choice === 'run') {
    const count = Math.min(values.length, 3 + draw.below(most - 2));
    const start = draw.below(values.length - count + 1);
    return values.slice(start, start + count);
  }
  const count = Math.min(values.length, 2 + draw.skewed(most + 3));
  const order: string[] = [];
  const start = draw.below(values.length);
  const step = 1 + draw.below(3);
  for (
    let place = start;
    order.length < count && place < start + values.length;
    place += 1 + draw.below(step)
  ) {
    order.push(values[place % values.length] as string);
  }
  return order.map((value, index) =>
    coded(value, coding, index, values[(start + 7 * (index + 1)) % values.length] as string),
  );
}

function coded(value: string, coding: ColorCoding, index: number, other: string): string {
  switch (coding) {
    case 'plain':
      return value;
    case 'letter':
      return `${'abcdef'.charAt(index % 6)}-${value}`;
    case 'number':
      return `${String(index + 1).padStart(2, '0')} ${value}`;
    case 'variant':
      return `${value}-${1 + (index % 9)}`;
    case 'two-tone':
      return other === value ? value : `${value} | ${other}`;
    default:
      return coding satisfies never;
  }
}
