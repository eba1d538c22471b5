import type { CDPSession } from 'playwright-core';

/** Requests of these types may never end, or end without a report. What is shown does not wait for them. */
const endless: ReadonlySet<string> = new Set([
  'EventSource',
  'Media',
  'Ping',
  'Prefetch',
  'Preflight',
  'WebSocket',
]);

/** How many loads the tabs of an episode have started. */
export interface LoadCount {
  begun: number;
  /**
   * Of these, the loads that may have arrived without being shown: all but documents and the scripts and
   * styles in them, which their load event waits for.
   */
  late: number;
}

/**
 * The loads of one tab and its frames, as the page itself reports them, before it answers the next question.
 */
export class PageLoads {
  /** Requests, and frames that are loading a document, by their ids; each with its frame. */
  readonly #underway = new Map<string, string>();
  /**
   * Frames that a script leads to another address of their document (`intercept` of the Navigation API). They
   * load until the script is done, for which it may need timers.
   */
  readonly #led = new Set<string>();
  readonly #count: LoadCount;

  constructor(count: LoadCount) {
    this.#count = count;
  }

  get isEmpty(): boolean {
    return this.#underway.size === 0;
  }

  /** Stops waiting for current loads. */
  forget(): void {
    this.#underway.clear();
  }

  /** Listens to the page, whose domain must be enabled already. `changed` is called whenever a load ends. */
  async follow(session: CDPSession, changed: () => void): Promise<void> {
    const begin = (id: string, frame: string): void => {
      this.#count.begun += 1;
      this.#underway.set(id, frame);
    };
    const end = (id: string): void => {
      if (this.#underway.delete(id)) changed();
    };
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, type = 'Other', initiator }) => {
      if (requestId === loaderId || endless.has(type)) return; // documents are reported as frames
      begin(requestId, frameId ?? '');
      if (initiator.type !== 'parser' || (type !== 'Script' && type !== 'Stylesheet')) this.#count.late += 1;
    });
    session.on('Network.loadingFinished', ({ requestId }) => end(requestId));
    session.on('Network.loadingFailed', ({ requestId }) => end(requestId));
    session.on('Page.frameStartedLoading', ({ frameId }) => {
      if (!this.#led.has(frameId)) begin(frameId, frameId);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, navigationType }) => {
      if (navigationType !== 'other') return;
      this.#led.add(frameId);
      end(frameId);
    });
    session.on('Page.frameRequestedNavigation', ({ frameId }) => this.#led.delete(frameId));
    session.on('Page.frameStoppedLoading', ({ frameId }) => {
      this.#led.delete(frameId);
      end(frameId);
    });
    session.on('Page.frameNavigated', ({ frame }) =>
      this.#drop((id, of) => id !== frame.id && (of === frame.id || frame.parentId === undefined), changed),
    );
    session.on('Page.frameDetached', ({ frameId }) => this.#drop((_, of) => of === frameId, changed));
    // nobody reads the stored responses
    await session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
  }

  /** Requests of a document that is gone end without a report. */
  #drop(isGone: (id: string, frame: string) => boolean, changed: () => void): void {
    for (const [id, frame] of this.#underway) if (isGone(id, frame)) this.#underway.delete(id);
    changed();
  }
}
