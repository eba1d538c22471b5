import type { Draw } from './draw.ts';
import type { Line } from './line.ts';
import type { Word } from './word.ts';

/** The parts of a title that the line does not determine. */
export interface TitleParts {
  readonly style: Word;
  readonly feature: Word;
  readonly feature2: Word;
  readonly color: Word;
  readonly measure: Word;
  readonly model: string;
  /** Attributes that the title names. */
  readonly attributes: readonly string[];
}

/** The title of a product. The style is that of its line, so siblings differ little. */
export function makeTitle(line: Line, parts: TitleParts, draw: Draw): string {
  const { brand, series, material, use, use2 } = line;
  const head = line.head.title;
  const { style, feature, feature2, model, attributes } = parts;
  const thing = line.type.thing.title;
  const listed = attributes.map((attribute) => `, ${attribute}`).join('');
  const leading = attributes
    .filter((attribute) => !standsBehind(attribute))
    .map((attribute) => `${attribute} `)
    .join('');
  const behind = attributes
    .filter(standsBehind)
    .map((attribute) => `, ${attribute}`)
    .join('');
  const tail = makeTail(parts, draw);
  switch (line.titleManner % 11) {
    case 0:
      return `${brand} ${head} with ${feature.title}, ${style.title} ${material.title}${listed} for ${use.title}${tail}`;
    case 1:
      return `${brand} ${style.title} ${head}${listed}, ${feature.title} and ${feature2.title}${tail}`;
    case 2:
      return `${head}, ${brand} ${series} ${style.title} ${material.title} ${thing} with ${feature.title}${listed}${tail}`;
    case 3:
      return `${leading}${head}${behind} for ${use.title}, ${style.title} ${material.title} with ${feature.title} - ${brand} ${model}${tail}`;
    case 4:
      return `${brand} ${series} ${style.title} ${head}${listed}${tail}`;
    case 5:
      return `${brand} ${head} | ${[...attributes, feature.title, `${style.title} ${material.title}`].join(' | ')} | for ${use.title}${tail}`;
    case 6:
      return `${brand} ${head} ${leading}${style.title} ${material.title} ${thing} ${feature.title} ${use.title} ${use2.title}${behind}${tail}`;
    case 7:
      return `${brand} ${model} ${head}${listed} with ${feature.title}${tail}`;
    case 8:
      return `${style.title} ${head} with ${feature.title} & ${feature2.title} by ${brand}, Great for ${use.title} and ${use2.title}${listed}${tail}`;
    case 9:
      return `${brand} - ${head} (${model}) ${leading}${material.title}, ${feature.title}${behind}${tail}`;
    default:
      return `${brand} ${series} ${head} ${model}${listed}, ${style.title}, ${feature.title}, ${material.title}, ${use.title}${tail}`;
  }
}

/** Phrases such as `with Aloe Vera` and `for Dry Skin` follow the noun. */
const standsBehind = (attribute: string): boolean => /^(?:with|for) /.test(attribute);

function makeTail({ color, measure }: TitleParts, draw: Draw): string {
  const size = measure.title;
  const draught = draw.below(100);
  if (size === '' || draught < 35) {
    if (draught < 12) return '';
    return draw.chance(50) ? `, ${color.title}` : ` (${color.title})`;
  }
  if (draught < 55) return `, ${size}`;
  if (draught < 72) return ` - ${size}`;
  return draught < 86 ? ` (${color.title}, ${size})` : `, ${color.title}, ${size}`;
}
