// A node as it will be told, before it has its id.
import type { ElementIds } from './element-ids.ts';
import type { PageNode } from './page-tree.ts';
import type { ViewBounds } from './view-bounds.ts';

/** A node before it has its id. */
export interface Draft extends Omit<PageNode, 'id' | 'children'> {
  readonly backend: number;
  readonly children: readonly (Draft | string)[];
  /** Present where the node is there for its text alone, so that a click on it can be told. */
  readonly isLeaf?: true;
}

/** Ids go by the order of what is shown, each before those of what is in it; nothing where it is beyond the bounds. */
export function withIds(
  draft: Draft | string,
  ids: ElementIds,
  bounds: ViewBounds,
): readonly (PageNode | string)[] {
  if (typeof draft === 'string') {
    const text = bounds.text(draft);
    return text === '' ? [] : [text];
  }
  if (!bounds.takes()) return [];
  const { backend, isLeaf: _isLeaf, children, name, value, options, mark, ...node } = draft;
  const shown = {
    id: ids.of(backend),
    role: node.role,
    name: bounds.text(name),
    ...(value === undefined ? {} : { value: bounds.text(value) }),
    states: node.states,
    ...(options === undefined
      ? {}
      : {
          options: options
            .filter(() => bounds.takes())
            .map((option) => ({ ...option, label: bounds.text(option.label) })),
        }),
    ...(node.colour === undefined ? {} : { colour: node.colour }),
    ...(mark === undefined ? {} : { mark: bounds.text(mark) }),
  };
  return [{ ...shown, ...node, children: children.flatMap((child) => withIds(child, ids, bounds)) }];
}

/** A text that is the only thing in a node is the node's own. */
export function withoutLoneLeaf(children: Draft['children']): Draft['children'] {
  const [only] = children;
  return children.length === 1 && typeof only === 'object' && only.isLeaf === true ? [only.name] : children;
}

/** All that is said in nodes, a line each. */
export const wordsOf = (children: Draft['children']): readonly string[] =>
  children.flatMap((child) =>
    typeof child === 'string' ? [child] : child.children.length > 0 ? wordsOf(child.children) : [child.name],
  );
