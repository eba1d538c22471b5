/**
 * Lets a tab that a script closes go when the tasks under way are done, as text that runs before a document's own scripts; to scripts it is closed at once.
 *
 * Where a script closes one window and opens another in one go, Chromium 156 has the main thread and the compositor of their process wake each other some 47,000 times a second. Why was
 * not found; where it opens first, or closes in a later task, they do not. On two cores two such processes were seen to leave nobody else a turn, the browser included, for 28 seconds.
 */
export const closeScript = `
  {
    const { close } = globalThis;
    const { get: isClosed } = Object.getOwnPropertyDescriptor(globalThis, 'closed');
    const task = scheduler.postTask.bind(scheduler);
    let isAsked = false;
    const later = {
      close() {
        isAsked = globalThis === top; // frames do not close
        task(() => {
          isAsked = false; // some may not be closed by scripts
          close();
        }, { priority: 'background' });
      },
    };
    globalThis.close = later.close;
    Object.defineProperty(globalThis, 'closed', { configurable: true, enumerable: true, get: () => isAsked || isClosed.call(globalThis) });
  }
`;
