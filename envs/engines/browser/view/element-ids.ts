/**
 * Names of elements for agents, `e1` and on, in the order of first sight within a document. The browser's own numbers depend on all that happened before; these only on
 * what has been shown, so that equal pages have equal ids.
 */
export class ElementIds {
  readonly #ids = new Map<number, string>();
  readonly #nodes = new Map<string, number>();

  /** The name of a node that the browser knows by this number. */
  of(backendNode: number): string {
    const known = this.#ids.get(backendNode);
    if (known !== undefined) return known;
    const id = `e${this.#ids.size + 1}`;
    this.#ids.set(backendNode, id);
    this.#nodes.set(id, backendNode);
    return id;
  }

  /** The browser's number of an element that has been shown. */
  find(id: string): number | undefined {
    return this.#nodes.get(id);
  }

  /** A new document has other elements. */
  clear(): void {
    this.#ids.clear();
    this.#nodes.clear();
  }
}
