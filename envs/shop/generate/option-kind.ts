/** How the values of an option are chosen from a list. */
export interface OptionKind {
  /** Lower case. */
  readonly name: string;
  /** `run`: values that follow each other, such as sizes; `some`: any of them. */
  readonly choice: 'run' | 'some';
  readonly values: readonly string[];
  /** How many values an option has at most. */
  readonly most: number;
  /** Whether shops write such values with codes of their own, such as `a-black` and `black | white`. */
  readonly coded: boolean;
}

/** The texts of a list that commas part. */
export const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

export const runOf = (name: string, values: string, most: number): OptionKind => ({
  name,
  choice: 'run',
  values: listed(values),
  most,
  coded: false,
});
export const someOf = (name: string, values: string, most: number): OptionKind => ({
  name,
  choice: 'some',
  values: listed(values),
  most,
  coded: false,
});
export const colorsOf = (values: string, most = 12): OptionKind => ({
  name: 'color',
  choice: 'some',
  values: listed(values),
  most,
  coded: true,
});
