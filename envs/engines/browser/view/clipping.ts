import { isScrolled, type Bounds, type SnapshotDocument } from './page-snapshot.ts';

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * The visible or scrollable part of a document at some place of its tree, by the position style of a node.
 */
export interface Clips {
  readonly flow: Edges;
  readonly absolute: Edges;
  readonly fixed: Edges;
}

/**
 * The initial clips of a page. The area left of a document or above it cannot be reached by scrolling. Fixed
 * elements stay in the window.
 */
export function clipsOf(page: SnapshotDocument): Clips {
  const [left, top] = page.scrolled;
  const root = page.children(0).find((child) => page.isElement(child)) ?? 0;
  const [, , width, height] = page.bounds(0);
  const whole = {
    left: page.style(root, 'direction') === 'rtl' ? -Infinity : 0,
    top: 0,
    right: Infinity,
    bottom: Infinity,
  };
  return { flow: whole, absolute: whole, fixed: { left, top, right: left + width, bottom: top + height } };
}

/**
 * The visible part of an element's content. A part that can be scrolled into view counts, where the element's
 * box itself is visible.
 */
export function clipsWithin(page: SnapshotDocument, node: number, clips: Clips): Clips {
  const position = page.style(node, 'position');
  const inner = overflown(page, node, clipOf(position, clips));
  // it contains even fixed elements
  const isTransformed = isSet(page.style(node, 'transform')) || isSet(page.style(node, 'filter'));
  return {
    flow: inner,
    absolute: isTransformed || (position !== 'static' && position !== '') ? inner : clips.absolute,
    fixed: isTransformed ? inner : clips.fixed,
  };
}

/** Whether no part of a node is visible. */
export const isCutAway = (page: SnapshotDocument, node: number, clips: Clips): boolean =>
  isOutside(page.bounds(node), clipOf(page.isText(node) ? '' : page.style(node, 'position'), clips));

/** Whether styles clip an element with all its content. */
export function isClippedWhole(page: SnapshotDocument, node: number): boolean {
  if (/^(?:inset\((?:50|100)%|circle\(0(?:px|%)?\b)/.test(page.style(node, 'clip-path'))) return true;
  const sides = /^rect\(([\d.]+)px, ([\d.]+)px, ([\d.]+)px, ([\d.]+)px\)$/.exec(page.style(node, 'clip'));
  const [top, right, bottom, left] = (sides ?? []).slice(1).map(Number);
  return (
    top !== undefined &&
    right !== undefined &&
    bottom !== undefined &&
    left !== undefined &&
    (right - left < leastSeen || bottom - top < leastSeen)
  );
}

const clipOf = (position: string, clips: Clips): Edges =>
  position === 'fixed' ? clips.fixed : position === 'absolute' ? clips.absolute : clips.flow;

function overflown(page: SnapshotDocument, node: number, clip: Edges): Edges {
  const [x, y] = [page.style(node, 'overflow-x'), page.style(node, 'overflow-y')];
  if ((isOpen(x) && isOpen(y)) || page.style(node, 'display') === 'inline' || ofWindow.has(page.tag(node)))
    return clip;
  const bounds = page.bounds(node);
  const [left, top, width, height] = bounds;
  if (isOutside(bounds, clip)) return nothing;
  return {
    ...(isOpen(x)
      ? { left: clip.left, right: clip.right }
      : isScrolled(x)
        ? everywhere.x
        : { left: Math.max(left, clip.left), right: Math.min(left + width, clip.right) }),
    ...(isOpen(y)
      ? { top: clip.top, bottom: clip.bottom }
      : isScrolled(y)
        ? everywhere.y
        : { top: Math.max(top, clip.top), bottom: Math.min(top + height, clip.bottom) }),
    ...(width < leastSeen ? { left: 0, right: 0 } : {}),
    ...(height < leastSeen ? { top: 0, bottom: 0 } : {}),
  };
}

/** Elements whose overflow is that of the window. */
const ofWindow: ReadonlySet<string> = new Set(['HTML', 'BODY']);

const isSet = (style: string): boolean => style !== '' && style !== 'none';
const isOpen = (overflow: string): boolean => overflow === 'visible' || overflow === '';

const everywhere = {
  x: { left: -Infinity, right: Infinity },
  y: { top: -Infinity, bottom: Infinity },
} as const;
const nothing: Edges = { left: 0, top: 0, right: 0, bottom: 0 };

/** Pixels. Content for screen readers alone is clipped to one pixel. */
const leastSeen = 2;

/** Whether fewer than two pixels of a box remain, or, for a thinner box, fewer than all. */
function isOutside([left, top, width, height]: Bounds, clip: Edges): boolean {
  const wide = Math.min(left + width, clip.right) - Math.max(left, clip.left);
  const high = Math.min(top + height, clip.bottom) - Math.max(top, clip.top);
  return wide < Math.min(leastSeen, width) || high < Math.min(leastSeen, height);
}
