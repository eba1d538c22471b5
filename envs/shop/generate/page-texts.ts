import type { Draw } from './draw.ts';
import type { HeldAttribute } from './held-attributes.ts';
import { shuffled, type Line } from './line.ts';
import type { TitleParts } from './title.ts';
import { fill, slotTexts, withLabel, type Sentence, type SlotTexts } from './sentence.ts';
import { articleFor } from './word.ts';

/** The texts of a page besides title and options. */
export interface PageTexts {
  readonly description: string;
  readonly bulletPoints: readonly string[];
}

const hours = [8, 10, 12, 16, 18, 24, 30, 36, 48, 60, 72];

/** The texts that fill the slots of sentences about a product. */
function textsOf(line: Line, parts: TitleParts, draw: Draw): SlotTexts {
  const { thing, number } = line.type.table;
  const many = number === 'many';
  return slotTexts({
    this: `${many ? 'these' : 'this'} ${thing}`,
    aThing: number === 'one' ? `${articleFor(thing)} ${thing}` : thing,
    it: many ? 'they' : 'it',
    them: many ? 'them' : 'it',
    its: many ? 'their' : 'its',
    is: many ? 'are' : 'is',
    s: many ? '' : 's',
    ies: many ? 'y' : 'ies',
    brand: line.brand,
    model: parts.model,
    style: parts.style.plain,
    aStyle: `${articleFor(parts.style.plain)} ${parts.style.plain}`,
    material: line.material.plain,
    use: line.use.plain,
    use2: line.use2.plain,
    feature: parts.feature.plain,
    color: parts.color.plain,
    measure: parts.measure.plain,
    few: String(2 + draw.below(5)),
    many: String(10 + 5 * draw.below(11)),
    hours: String(draw.pick(hours)),
  });
}

/** Features and description. Both use the pitches of the line, in its order, without repeats. */
export function writePage(
  line: Line,
  held: readonly HeldAttribute[],
  parts: TitleParts,
  draw: Draw,
): PageTexts {
  const texts = textsOf(line, parts, draw);
  const { bulletPoints, pitchesUsed, said } = writeFeatures(line, held, texts, draw);
  if (draw.chance(30)) return { bulletPoints, description: '' };
  const sentences = describe(line, held, { texts, from: pitchesUsed, said }, draw);
  if (draw.chance(65)) sentences.push(specify(line, parts, draw));
  return { bulletPoints, description: sentences.join(' ') };
}

interface Features {
  readonly bulletPoints: readonly string[];
  readonly pitchesUsed: number;
  /** Sentences about attributes in the features. */
  readonly said: ReadonlySet<Sentence>;
}

function writeFeatures(line: Line, held: readonly HeldAttribute[], texts: SlotTexts, draw: Draw): Features {
  const count = drawFeatureCount(draw);
  if (count === 0) return { bulletPoints: [], pitchesUsed: 0, said: new Set() };
  const sentences: Sentence[] = [];
  for (const { prepared, inFeatures, inTitle, inDescription } of held) {
    if (inFeatures) sentences.push(labelledAnew(prepared.shown, sentences, draw));
    else if (!inTitle && !inDescription && prepared.hinted.length > 0 && draw.chance(50))
      sentences.push(labelledAnew(prepared.hinted, sentences, draw));
  }
  const said = new Set(sentences);
  let pitchesUsed = 0;
  while (sentences.length < count) sentences.push(pitchOf(line, pitchesUsed++));
  const bulletPoints = shuffled(draw, sentences.length).map((index) => {
    const sentence = sentences[index] as Sentence;
    const text = withLabel(line.labelManner, sentence, fill(sentence, texts));
    return draw.chance(60) ? `${text} ${fill(pitchOf(line, pitchesUsed++), texts)}` : text;
  });
  return { bulletPoints: count === 1 ? bulletPoints.slice(0, 1) : bulletPoints, pitchesUsed, said };
}

/** One of the sentences, with a unique label where there is one. */
function labelledAnew(choices: readonly Sentence[], others: readonly Sentence[], draw: Draw): Sentence {
  const start = draw.below(choices.length);
  for (let offset = 0; offset < choices.length; offset += 1) {
    const sentence = choices[(start + offset) % choices.length] as Sentence;
    if (others.every(({ label }) => label !== sentence.label)) return sentence;
  }
  return choices[start] as Sentence;
}

function drawFeatureCount(draw: Draw): number {
  const draught = draw.below(100);
  if (draught < 3) return 0;
  return draught < 12 ? 1 : 3 + draw.below(5);
}

interface Before {
  readonly texts: SlotTexts;
  /** The number of pitches that the features have used. */
  readonly from: number;
  readonly said: ReadonlySet<Sentence>;
}

function describe(
  line: Line,
  held: readonly HeldAttribute[],
  { texts, from, said }: Before,
  draw: Draw,
): string[] {
  const sentences: string[] = [];
  const pitches = Math.min(line.pitchOrder.length - from, 2 + draw.below(12));
  for (let index = 0; index < pitches; index += 1) sentences.push(fill(pitchOf(line, from + index), texts));
  for (const { prepared, inDescription } of held) {
    const unsaid = prepared.shown.filter((sentence) => !said.has(sentence));
    if (inDescription && unsaid.length > 0)
      sentences.splice(draw.below(sentences.length + 1), 0, fill(draw.pick(unsaid), texts));
  }
  return sentences;
}

/** The list of facts with which many sellers end. */
function specify(
  { type, brand, head, series, material, use }: Line,
  { color, measure, model, feature, style }: TitleParts,
  draw: Draw,
): string {
  const facts = [
    `Brand: ${brand}`,
    `Item: ${head.title}`,
    `Material: ${material.title}`,
    `${type.department.colorLabel}: ${color.title}`,
    `Series: ${series}`,
    `Style: ${style.title}`,
  ];
  if (measure.plain !== '') facts.push(`Size: ${measure.title}`);
  facts.push(`Model Number: ${model}`, `Recommended For: ${use.title}`, `Detail: ${feature.title}`);
  if (type.table.measure === 'room')
    facts.push(`Item Weight: ${8 + draw.below(90)}.${1 + draw.below(9)} Pounds`);
  facts.push(`Sold By: ${brand}`);
  const start = draw.below(3);
  return `Specifications: ${facts.slice(start, start + 5 + draw.below(facts.length - start - 4)).join('. ')}.`;
}

const pitchOf = ({ type, pitchOrder }: Line, place: number): Sentence =>
  type.pitches[pitchOrder[place % pitchOrder.length] as number] as Sentence;
