import type { BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';

/** Texts by their type, such as `text/plain`. */
const heldSchema = z.record(z.string(), z.string());

const bindingName = 'cairnCopied';
const offerName = 'cairn-clipboard';

/**
 * The clipboard of one episode. The browser has only one clipboard for all contexts, so documents handle
 * copying, cutting and pasting in the page instead. Whatever causes it, keys or scripts of the page, nothing
 * reaches the browser's clipboard, and nothing comes from there.
 */
export class Clipboard {
  #held: z.infer<typeof heldSchema> = {};

  /** Call it before the context's first page opens. */
  static async of(context: BrowserContext): Promise<Clipboard> {
    const clipboard = new Clipboard();
    await context.exposeBinding(bindingName, (_source, held: unknown) => {
      clipboard.#held = heldSchema.parse(held);
    });
    await context.addInitScript(pageScript);
    return clipboard;
  }

  /** Sends the current content to the documents of a tab, for pasting. */
  async offer(page: Page): Promise<void> {
    await everywhere(page, '0'); // waits until all earlier copies there have been reported
    await everywhere(
      page,
      `dispatchEvent(new CustomEvent('${offerName}', { detail: ${JSON.stringify(this.#held)} }))`,
    );
  }
}

const everywhere = async (page: Page, expression: string): Promise<void> =>
  // a frame may be gone
  void (await Promise.all(page.frames().map((frame) => frame.evaluate(expression).catch(() => undefined))));

/**
 * The browser's own event is stopped, and one of ours is dispatched with the episode's texts. What a page
 * leaves to the browser is then done as the browser does it.
 */
const pageScript = `(() => {
  const tell = globalThis.${bindingName};
  delete globalThis.${bindingName};
  let held = {};
  let editing;
  const hold = (texts) => void tell((held = texts));
  const isField = (target) => target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  const selected = (target) => {
    if (!isField(target) || target.selectionStart === null) return String(getSelection());
    return target.type === 'password' ? '' : target.value.slice(target.selectionStart, target.selectionEnd);
  };
  const isEditable = (target) => (isField(target) ? !target.readOnly && !target.disabled : target.isContentEditable === true || document.designMode === 'on');
  const execCommand = Document.prototype.execCommand;
  const edit = (target, kind, command, text) => {
    if (!target.dispatchEvent(new InputEvent('beforeinput', { inputType: kind, data: text, bubbles: true, cancelable: true, composed: true }))) return true; // commands do not ask
    editing = kind;
    const isDone = execCommand.call(document, command, false, text);
    editing = undefined;
    return isDone;
  };
  const cut = (target) => {
    if (edit(target, 'deleteByCut', 'delete')) return;
    if (isField(target)) target.setRangeText(''); // within a command of the page's own no other is run
    else getSelection().deleteFromDocument();
    target.dispatchEvent(new InputEvent('input', { inputType: 'deleteByCut', bubbles: true, composed: true }));
  };
  const answer = (event) => {
    if (!event.isTrusted) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const [target] = event.composedPath();
    const clipboardData = new DataTransfer();
    const isPaste = event.type === 'paste';
    if (isPaste) for (const [type, text] of Object.entries(held)) clipboardData.setData(type, text);
    const isLeft = target.dispatchEvent(new ClipboardEvent(event.type, { clipboardData, bubbles: true, cancelable: true, composed: true }));
    if (isPaste) {
      if (isLeft && held['text/plain'] && isEditable(target)) edit(target, 'insertFromPaste', 'insertText', held['text/plain']);
      return;
    }
    if (!isLeft) return hold(Object.fromEntries(clipboardData.types.map((type) => [type, clipboardData.getData(type)])));
    const text = selected(target);
    if (text === '' || (event.type === 'cut' && !isEditable(target))) return;
    hold({ 'text/plain': text });
    if (event.type === 'cut') cut(target);
  };
  const rename = (event) => {
    if (editing !== undefined && event.isTrusted) Object.defineProperty(event, 'inputType', { value: editing });
  };
  const offered = ({ detail }) => {
    held = detail;
  };
  const listen = () => {
    for (const type of ['copy', 'cut', 'paste']) addEventListener(type, answer, true);
    addEventListener('input', rename, true);
    addEventListener('${offerName}', offered);
  };
  listen();
  for (const name of ['open', 'write', 'writeln']) {
    const original = Document.prototype[name];
    Document.prototype[name] = function (...texts) {
      const result = original.apply(this, texts);
      listen(); // a document that is opened again has lost all listeners
      return result;
    };
  }
})();`;
