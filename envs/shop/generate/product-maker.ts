import type { Product } from '../catalogue/product.ts';
import { asinOf } from './asin.ts';
import { Draw, drawKey } from './draw.ts';
import { drawHeldAttributes, type HeldAttribute } from './held-attributes.ts';
import { blockSize, drawLine, notWithin, placeInBlock, type Line } from './line.ts';
import { drawMeasure } from './measure.ts';
import { modelName } from './names.ts';
import { drawOptions } from './options.ts';
import { writePage } from './page-texts.ts';
import { prepareTypes, type PreparedType } from './prepared-type.ts';
import { drawPricing, priceTextOf } from './price.ts';
import { departments } from './tables/departments.ts';
import { makeTitle, type TitleParts } from './title.ts';
import type { Word } from './word.ts';

/** A product, with the parts that goals use in their wording. */
export interface MadeProduct {
  readonly product: Product;
  readonly type: PreparedType;
  /** The common name of the product, from its title. */
  readonly head: string;
}

/** The most attributes in a title. */
const attributesInTitle = 3;

let prepared: readonly PreparedType[] | undefined; // once for all seeds, on first use
const allTypes = (): readonly PreparedType[] => (prepared ??= prepareTypes(departments));

/** Generates products as pure functions of seed and number. */
export class ProductMaker {
  readonly #key: Uint32Array; // (4)
  readonly #lineDraw: Draw;
  readonly #draw: Draw;

  constructor(seed: number) {
    this.#key = drawKey(seed);
    this.#lineDraw = this.stream();
    this.#draw = this.stream();
  }

  /** A stream of this seed, for what is derived from products. */
  stream(): Draw {
    return new Draw(this.#key);
  }

  make(number: number): MadeProduct {
    const line = this.#lineOf(number);
    const draw = this.#draw.start('product', number);
    const held = drawHeldAttributes(line, draw);
    const parts = drawTitleParts(line, held, draw);
    const name = makeTitle(line, parts, draw);
    const { description, bulletPoints } = writePage(line, held, parts, draw);
    const options = drawOptions(line, draw);
    const pricing = drawPricing(line, options.length > 0, draw);
    const { table, department } = line.type;
    const product = {
      asin: asinOf(this.#key, number),
      name,
      query: table.query,
      category: department.name,
      productCategory: table.path,
      description,
      bulletPoints,
      attributes: held.map(({ prepared }) => prepared.attribute.name),
      options,
      pricing,
      priceText: priceTextOf(pricing),
      reviews: [],
      rating: 'N.A.',
    };
    return { product, type: line.type, head: line.head.plain };
  }

  #lineOf(number: number): Line {
    const { line, members } = placeInBlock(this.#lineDraw, number);
    this.#lineDraw.start('line', Math.floor(number / blockSize) * blockSize + line);
    return drawLine(this.#lineDraw, allTypes(), members);
  }
}

/** The differences between a product and its siblings: style, parts, color, measure and model. */
function drawTitleParts({ type, head, style }: Line, held: readonly HeldAttribute[], draw: Draw): TitleParts {
  const { features } = type;
  const place = draw.below(features.length);
  const other = (place + 1 + draw.below(features.length - 1)) % features.length;
  return {
    style: draw.chance(50) ? style : notWithin(head.title, type.styles, draw),
    feature: features[place] as Word,
    feature2: features[other] as Word,
    color: draw.pick(type.colors),
    measure: drawMeasure(type.table.measure, draw),
    model: modelName(draw),
    attributes: held
      .flatMap(({ prepared, inTitle }) =>
        inTitle && prepared.attribute.title !== undefined ? [prepared.attribute.title] : [],
      )
      .slice(0, attributesInTitle),
  };
}
