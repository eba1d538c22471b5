/**
 * Lets a tab that a script closes go when the tasks under way are done, as text that runs before a document's own scripts; to scripts it is closed at once.
 *
 * Where a script closes one window and opens another in one go, Chromium 156 has the process of both ask for the closing one's next picture, and be refused, forty thousand times
 * a second until the browser has taken it away, while the browser makes the other one. On two cores two such processes were seen to leave nobody else a turn for 28 seconds.
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
