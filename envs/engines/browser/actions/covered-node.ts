import type { CDPSession } from 'playwright-core';
import { nodeAt, type FoundNode } from './node-at.ts';
import type { Point } from './mouse.ts';

/**
 * Whether a click there would hit a node that is neither inside the element, including frames inside it, nor
 * contains it.
 */
export async function isCovered(session: CDPSession, node: number, at: Point): Promise<boolean> {
  const hit = await nodeAt(session, at, 'outer');
  for (let each = hit; each !== undefined; each = await frameAround(session, each)) {
    if (each.backendNodeId === node) return false;
    const isTouched = await touches(session, node, each.backendNodeId);
    if (isTouched !== undefined) return !isTouched;
  }
  return hit !== undefined;
}

/**
 * Whether one of two nodes is inside the other, or inside its label; undefined where they belong to different
 * documents.
 */
async function touches(session: CDPSession, node: number, hit: number): Promise<boolean | undefined> {
  const { object } = await session.send('DOM.resolveNode', { backendNodeId: node });
  const { object: other } = await session.send('DOM.resolveNode', { backendNodeId: hit });
  try {
    const { result } = await session.send('Runtime.callFunctionOn', {
      ...(object.objectId === undefined ? {} : { objectId: object.objectId }),
      functionDeclaration:
        'function (hit) { return this.contains(hit) || hit.contains(this) || [...(this.labels ?? [])].some((label) => label.contains(hit)); }',
      arguments: [{ objectId: other.objectId ?? '' }],
      returnByValue: true,
    });
    return result.value === true;
  } catch (thrown) {
    if (thrown instanceof Error && /same JavaScript world/.test(thrown.message)) return undefined;
    throw thrown;
  }
}

/** The element of the frame that contains a node; undefined in the outermost document. */
async function frameAround(session: CDPSession, { frameId }: FoundNode): Promise<FoundNode | undefined> {
  const parents = parentsIn((await session.send('Page.getFrameTree')).frameTree);
  const parent = parents.get(frameId);
  if (parent === undefined) return undefined;
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId });
  return { backendNodeId, frameId: parent };
}

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}

/** The parents of frames, by the ids of their child frames. */
function parentsIn({ frame, childFrames = [] }: FrameTree): ReadonlyMap<string, string> {
  return new Map(childFrames.flatMap((child) => [[child.frame.id, frame.id] as const, ...parentsIn(child)]));
}
