import type { Attribute } from './attribute.ts';
import { listed, type OptionKind } from './option-kind.ts';
import type { Department, TypeTable } from './product-type.ts';
import { parseSentence, slotNames, type Sentence } from './sentence.ts';
import { headsOf, wordOf, wordsOf, type Word } from './word.ts';

/** An attribute with its parsed sentences. */
export interface PreparedAttribute {
  readonly attribute: Attribute;
  readonly shown: readonly Sentence[];
  readonly hinted: readonly Sentence[];
}

/** A type of product that is ready for draws. */
export interface PreparedType {
  readonly table: TypeTable;
  readonly department: Department;
  readonly departmentNumber: number;
  readonly thing: Word;
  readonly heads: readonly Word[];
  readonly asked: readonly string[];
  readonly leads: readonly string[];
  readonly styles: readonly Word[];
  readonly materials: readonly Word[];
  readonly features: readonly Word[];
  readonly uses: readonly Word[];
  readonly colors: readonly Word[];
  readonly attributes: readonly PreparedAttribute[];
  /** For each attribute, the indices of those that a product cannot have together with it. */
  readonly rivals: readonly ReadonlySet<number>[];
  readonly options: readonly OptionKind[];
  /** Those of the type and of its department. */
  readonly pitches: readonly Sentence[];
}

export function prepareTypes(departments: readonly Department[]): readonly PreparedType[] {
  return departments.flatMap((department, departmentNumber) => {
    const attributes = new Map(
      department.attributes.map((attribute) => [attribute.name, prepareAttribute(attribute)]),
    );
    const pitches = department.pitches.map(parseSentence);
    const colors = wordsOf(department.colors);
    return department.types.map((table): PreparedType => {
      const own = table.pitches.map(parseSentence);
      return {
        table,
        department,
        departmentNumber,
        thing: wordOf(table.thing),
        heads: headsOf(table.heads),
        asked: listed(table.asked),
        leads: listed(table.leads ?? ''),
        styles: wordsOf(table.styles),
        materials: wordsOf(table.materials),
        features: wordsOf(table.features),
        uses: wordsOf(table.uses),
        colors: table.colors === undefined ? colors : wordsOf(table.colors),
        attributes: listed(table.attributes).map((name) => {
          const attribute = attributes.get(name);
          if (attribute === undefined)
            throw new RangeError(
              `the department ${department.name} has no attribute "${name}", asked for by ${table.query}`,
            );
          return attribute;
        }),
        rivals: rivalsOf(listed(table.attributes), department.rivals.map(listed)),
        options: table.options,
        pitches: [...own, ...pitches].filter(
          ({ slots }) => table.measure !== 'none' || !slots.includes(slotNames.indexOf('measure')),
        ),
      };
    });
  });
}

const rivalsOf = (
  names: readonly string[],
  groups: readonly (readonly string[])[],
): readonly ReadonlySet<number>[] =>
  names.map((name) => {
    const rivals = new Set(groups.filter((group) => group.includes(name)).flat());
    rivals.delete(name);
    return new Set([...rivals].map((rival) => names.indexOf(rival)));
  });

const prepareAttribute = (attribute: Attribute): PreparedAttribute => ({
  attribute,
  shown: attribute.shown.map(parseSentence),
  hinted: attribute.hinted.map(parseSentence),
});
