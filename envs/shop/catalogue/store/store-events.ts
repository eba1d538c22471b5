/** The events of opening a catalogue, for reports to the user. */
export type StoreEvent =
  | { readonly kind: 'build-start'; readonly folder: string; readonly reason: BuildReason }
  /** In mebibytes of the products file, or in products. */
  | { readonly kind: 'build-advance'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'build-end';
      readonly folder: string;
      readonly products: number;
      readonly counts: Readonly<Record<string, number>>;
    };

/** Why a catalogue is built although the cache may have one. */
export type BuildReason =
  | { readonly kind: 'absent' }
  /** Stored by another version of this software, or for other content. */
  | { readonly kind: 'stale'; readonly detail: string }
  | { readonly kind: 'damaged'; readonly detail: string };

/** One line for people. */
export function describeStoreEvent(event: StoreEvent): string {
  switch (event.kind) {
    case 'build-start':
      return `making the catalogue in ${event.folder}: ${reasonWords(event.reason)}`;
    case 'build-advance':
      return `making the catalogue: ${Math.floor(event.done)} of ${Math.ceil(event.total)}`;
    case 'build-end': {
      const counts = Object.entries(event.counts).map(([name, count]) => `${name} ${count}`);
      return `made the catalogue of ${event.products} products in ${event.folder}${counts.length === 0 ? '' : ` (${counts.join(', ')})`}`;
    }
    default:
      return event satisfies never;
  }
}

export function reasonWords(reason: BuildReason): string {
  switch (reason.kind) {
    case 'absent':
      return 'there is none yet';
    case 'stale':
      return `what is there was made otherwise (${reason.detail})`;
    case 'damaged':
      return `what is there is damaged (${reason.detail})`;
    default:
      return reason satisfies never;
  }
}
