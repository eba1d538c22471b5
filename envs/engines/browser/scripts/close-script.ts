/**
 * Delays the closing of a tab by a script until the running tasks are done. The text runs before a document's
 * own scripts. For scripts the tab is closed at once.
 *
 * Where a script closes one window and opens another in one go, Chromium 156 busy-waits. The main thread and
 * the compositor of their process wake each other some 47,000 times per second. The cause is unknown. It does
 * not happen where the script opens first, or closes in a later task. On two cores, two such processes
 * blocked everything else, including the browser, for 28 seconds.
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
