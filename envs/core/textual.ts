/** What an agent answered: something the env can be given, or text that could not be read as an action. */
export type Reply<Act> =
  | { readonly kind: 'action'; readonly action: Act }
  | { readonly kind: 'malformed'; readonly why: string; readonly text: string };

/** The words of an env: every env has them, so that people, choice policies and language models can all play it. */
export interface Textual<Obs, Act> {
  /** The observation in words. */
  observation(observation: Obs): string;
  /** The action in words, as a player would write it. */
  action(action: Act): string;
  /** The action that a player's words mean. */
  parse(text: string): Reply<Act>;
  /**
   * Whether an action is but a sample of many that players write themselves, such as one program of all programs. Lists of admissible
   * actions that hold one are not shown to language models, and the env's own words say what can be written. None is, when left out.
   */
  isSample?(action: Act): boolean;
}
