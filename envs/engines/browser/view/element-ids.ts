/**
 * Ids of elements for agents: `e1`, `e2` and so on, in the order of their first appearance within a document.
 * The browser's own numbers depend on everything that happened before. These depend only on what has been
 * shown, so equal pages have equal ids.
 */
export class ElementIds {
  readonly #ids = new Map<number, string>();
  readonly #nodes = new Map<string, number>();

  /** The id of the node with this browser number. */
  of(backendNode: number): string {
    const known = this.#ids.get(backendNode);
    if (known !== undefined) return known;
    const id = `e${this.#ids.size + 1}`;
    this.#ids.set(backendNode, id);
    this.#nodes.set(id, backendNode);
    return id;
  }

  /** The browser number of an element that has been shown. */
  find(id: string): number | undefined {
    return this.#nodes.get(id);
  }

  /** Call it for a new document, which has other elements. */
  clear(): void {
    this.#ids.clear();
    this.#nodes.clear();
  }
}
