import { clickOn } from '../command.ts';
import { html, type Markup } from '../pages/markup.ts';

/** The one form that all buttons of a page send; it names the step that they are for. */
const formId = 'act';

/** How a button looks, and what is said of it. */
export interface ButtonManner {
  readonly look: 'plain' | 'main' | 'link' | 'option';
  /** Of an option: whether it is chosen. */
  readonly pressed?: boolean;
  /** Id of what describes it. */
  readonly describedBy?: string;
  /** Whether the keyboard begins there. */
  readonly focused?: boolean;
}

/**
 * The buttons of a page: for each action that is listed there exactly one, and none for anything else. What a button sends is the number of
 * its action in the list, for browsers change texts on the way, such as those with line ends.
 */
export class PageControls {
  readonly #numbers: Map<string, number>;

  constructor(actions: readonly string[]) {
    this.#numbers = new Map();
    for (const [number, action] of actions.entries())
      if (!this.#numbers.has(action)) this.#numbers.set(action, number);
  }

  /** The form; it stands once on a page. */
  form(path: string, step: number): Markup {
    return html`<form id="${formId}" method="post" action="${path}"><input type="hidden" name="step" value="${step}"></form>
`;
  }

  /** A button with its words on it, where the click on them is listed and has no button yet; else the words alone. */
  button(words: string, manner: ButtonManner): Markup {
    const action = clickOn(manner.look === 'option' ? words : words.toLowerCase()); // values are clicked as they stand there
    const number = this.#numbers.get(action);
    if (number === undefined) return html`<span class="gone" dir="auto">${words}</span>`;
    this.#numbers.delete(action);
    const { look, pressed, describedBy, focused = false } = manner;
    const attributes = [
      ...(pressed === undefined ? [] : [html` aria-pressed="${String(pressed)}"`]),
      ...(describedBy === undefined ? [] : [html` aria-describedby="${describedBy}"`]),
      ...(words.trim() === '' ? [html` aria-label="(blank)"`] : []),
      ...(focused ? [html` autofocus`] : []),
    ];
    return html`<button class="${look}" form="${formId}" name="click" value="${number}" dir="auto"${attributes}>${words}</button>`;
  }
}
