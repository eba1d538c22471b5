import { createHash } from 'node:crypto';
import { contentsOf, type StoredDocument } from '../../retrieval/document.ts';
import type { PanelName } from '../files/question-source.ts';
import type { FactKind } from './fact-relations.ts';
import type { Fact, FactSource } from './fact-source.ts';

/** Sources of facts as one, with a document for each subject. */
export class FactGraph {
  readonly size: number;
  readonly #sources: readonly FactSource[];
  readonly #starts: readonly number[];

  constructor(sources: readonly FactSource[]) {
    this.#sources = sources;
    this.#starts = sources.map((_, index) =>
      sources.slice(0, index).reduce((sum, { size }) => sum + size, 0),
    );
    this.size = sources.reduce((sum, { size }) => sum + size, 0);
  }

  /** The subjects of each source, from the first to before the last. */
  get ranges(): readonly (readonly [start: number, end: number])[] {
    return this.#sources.map(({ size }, index) => [
      this.#starts[index] ?? 0,
      (this.#starts[index] ?? 0) + size,
    ]);
  }

  find(id: string): number | undefined {
    for (const [index, source] of this.#sources.entries()) {
      const found = source.find(id);
      if (found !== undefined) return found + (this.#starts[index] ?? 0);
    }
    return undefined;
  }

  idOf(subject: number): string {
    return this.#ask(subject, (source, own) => source.idOf(own));
  }

  kindOf(subject: number): FactKind {
    return this.#ask(subject, (source, own) => source.kindOf(own));
  }

  labelOf(subject: number): string | undefined {
    return this.#ask(subject, (source, own) => source.labelOf(own));
  }

  namesOf(subject: number): readonly string[] {
    return this.#ask(subject, (source, own) => source.namesOf(own));
  }

  panelOf(subject: number): PanelName {
    return this.#ask(subject, (source, own) => source.panelOf(own));
  }

  facts(subject: number): readonly Fact[] {
    const start = this.#starts[this.#sourceOf(subject)] ?? 0;
    return this.#ask(subject, (source, own) =>
      source.facts(own).map(({ relation, object }) => ({
        relation,
        object: typeof object === 'string' ? object : object + start,
      })),
    );
  }

  /** The plainest text for the object of a fact. */
  textOf(object: Fact['object']): string {
    return typeof object === 'string' ? object : (this.namesOf(object)[0] ?? '');
  }

  /** All texts for the object of a fact. */
  textsOf(object: Fact['object']): readonly string[] {
    return typeof object === 'string' ? [object] : this.namesOf(object);
  }

  /**
   * The document about a subject. Without a label, the title has a hint behind the name, so that no title is the label of another
   * subject.
   *
   * @param wordings wordings of each fact, from the plainest
   */
  document(subject: number, wordings: number): StoredDocument {
    const [name = ''] = this.namesOf(subject);
    const title =
      this.labelOf(subject) === undefined
        ? `${name} (${this.#ask(subject, (source, own) => source.hintOf(own))})`
        : name;
    const id = this.idOf(subject);
    const draw = createHash('sha256').update(id).digest();
    const statements = this.facts(subject).map(({ relation, object }, index) => {
      const forms = relation.statements.slice(0, wordings);
      const form = forms[(draw[index % draw.length] ?? 0) % forms.length] ?? '';
      const text = this.textOf(object);
      return form.replaceAll(/\b[SO]\b/g, (mark) => `"${quotable(mark === 'S' ? name : text)}"`);
    });
    const notes = this.#ask(subject, (source, own) => source.notesOf(own));
    // said once more, so that a search for the name finds this document before those that mention it
    const head = `This entry is about "${quotable(name)}".`;
    return { id, contents: contentsOf(title.replaceAll('"', ''), [head, ...notes, ...statements].join(' ')) };
  }

  #ask<T>(subject: number, ask: (source: FactSource, own: number) => T): T {
    const index = this.#sourceOf(subject);
    return ask(this.#sources[index] as FactSource, subject - (this.#starts[index] ?? 0));
  }

  #sourceOf(subject: number): number {
    let index = this.#sources.length - 1;
    while (index > 0 && (this.#starts[index] ?? 0) > subject) index -= 1;
    return index;
  }
}

const quotable = (text: string): string => text.replaceAll('"', "'");
