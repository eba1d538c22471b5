import { clickOn } from '../command.ts';
import { html, type Markup } from '../pages/markup.ts';

/** The single form of a page, which all buttons send. It contains the step that they are for. */
const formId = 'act';

/** How a button looks, and its accessibility attributes. */
export interface ButtonManner {
  readonly look: 'plain' | 'main' | 'link' | 'option';
  /** For an option: whether it is chosen. */
  readonly pressed?: boolean;
  /** The id of its description. */
  readonly describedBy?: string;
  /** Whether it has the initial focus. */
  readonly focused?: boolean;
}

/**
 * The buttons of a page: exactly one for each listed action, and none for anything else. A button sends the
 * number of its action in the list, because browsers change texts in transit, such as those with line ends.
 */
export class PageControls {
  readonly #numbers: Map<string, number>;

  constructor(actions: readonly string[]) {
    this.#numbers = new Map();
    for (const [number, action] of actions.entries())
      if (!this.#numbers.has(action)) this.#numbers.set(action, number);
  }

  /** The form, which occurs once per page. */
  form(path: string, step: number): Markup {
    return html`<form id="${formId}" method="post" action="${path}"><input type="hidden" name="step" value="${step}"></form>
`;
  }

  /** A button with its words, where the click is listed and has no button yet; else the words alone. */
  button(words: string, manner: ButtonManner): Markup {
    // clicks name values verbatim
    const action = clickOn(manner.look === 'option' ? words : words.toLowerCase());
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
