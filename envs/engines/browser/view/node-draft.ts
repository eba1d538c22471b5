// Nodes of a page before they have their ids.
import type { ElementIds } from './element-ids.ts';
import type { PageNode } from './page-tree.ts';
import type { ViewBounds } from './view-bounds.ts';

/** A node without its id. */
export interface Draft extends Omit<PageNode, 'id' | 'children'> {
  readonly backend: number;
  readonly children: readonly (Draft | string)[];
  /** Present where the node exists for its text alone, so that the text can be clicked. */
  readonly isLeaf?: true;
}

/**
 * Assigns ids in the order of what is shown, parents before children. Nodes beyond the limits are dropped.
 */
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

/** Moves a text that is the only content of a node into the node itself. */
export function withoutLoneLeaf(children: Draft['children']): Draft['children'] {
  const [only] = children;
  return children.length === 1 && typeof only === 'object' && only.isLeaf === true ? [only.name] : children;
}

/** All texts in nodes, one per line. */
export const wordsOf = (children: Draft['children']): readonly string[] =>
  children.flatMap((child) =>
    typeof child === 'string' ? [child] : child.children.length > 0 ? wordsOf(child.children) : [child.name],
  );
