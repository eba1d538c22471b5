import { z } from 'zod';
import type { PageView } from '../engines/browser/view/page-view.ts';
import { renderTree, type PageNode } from '../engines/browser/view/page-tree.ts';

const pageNode: z.ZodType<PageNode> = z.lazy(() =>
  z.strictObject({
    id: z.string(),
    role: z.string(),
    name: z.string(),
    value: z.string().exactOptional(),
    states: z.array(z.string()),
    options: z
      .array(
        z.strictObject({
          label: z.string(),
          selected: z.boolean(),
          disabled: z.literal(true).exactOptional(),
        }),
      )
      .exactOptional(),
    colour: z.string().exactOptional(),
    mark: z.string().exactOptional(),
    clickable: z.literal(true).exactOptional(),
    focusable: z.literal(true).exactOptional(),
    scrollable: z.literal(true).exactOptional(),
    box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
    children: z.array(z.union([z.string(), pageNode])),
  }),
);

/**
 * The observation of an agent: the page as Chromium's accessibility tree and visible text show it, and the
 * reason where the last action could not be done.
 */
export const webObservationSchema = z.strictObject({
  url: z.string(),
  title: z.string(),
  tabs: z.array(z.string()),
  tab: z.int(),
  content: z.array(z.union([z.string(), pageNode])),
  said: z.array(z.string()),
  /** Why the last action could not be done. */
  refused: z.string().exactOptional(),
  /** PNG, base64. */
  screenshot: z.string().exactOptional(),
});

export interface WebObservation extends PageView {
  readonly refused?: string;
}

/**
 * The observation in words: the address, then the page line by line, `[e3] button "Send"`, then further
 * notes.
 */
export function describeObservation({
  url,
  title,
  tabs,
  tab,
  content,
  said,
  refused,
}: WebObservation): string {
  const lines = [`page ${url}${title === '' ? '' : ` ${JSON.stringify(title)}`}`];
  if (tabs.length > 1)
    lines.push(
      ...tabs.map(
        (name, place) => `tab ${place + 1} ${JSON.stringify(name)}${place + 1 === tab ? ' (shown)' : ''}`,
      ),
    );
  lines.push(...renderTree(content), ...said);
  if (refused !== undefined) lines.push(`Nothing was done: ${refused}.`);
  return lines.join('\n');
}
