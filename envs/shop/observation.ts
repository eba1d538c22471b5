import { drawHtml } from './pages/draw-html.ts';
import { drawRichText, drawText } from './pages/draw-text.ts';
import type { Page } from './pages/page.ts';

/** The observation modes of the original. */
export const observationModes = ['text', 'text_rich', 'html', 'url'] as const;

export type ObservationMode = (typeof observationModes)[number];

/** Renders a page. */
export type Draw = (page: Page) => string;

export function drawerOf(mode: ObservationMode, { strict }: { readonly strict: boolean }): Draw {
  switch (mode) {
    case 'text':
      return (page) => drawText(page, { strict });
    case 'text_rich':
      return (page) => drawRichText(page, { strict });
    case 'html':
      return (page) => drawHtml(page);
    case 'url':
      return (page) => page.url;
    default:
      return mode satisfies never;
  }
}
