/** How the values of an option are chosen from a list. */
export interface OptionKind {
  /** Lower case. */
  readonly name: string;
  /** `run`: consecutive values, such as sizes; `some`: any of them. */
  readonly choice: 'run' | 'some';
  readonly values: readonly string[];
  /** The most values of an option. */
  readonly most: number;
  /** Whether shops write such values with codes, such as `a-black` and `black | white`. */
  readonly coded: boolean;
}

/** The texts of a comma-separated list. */
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
