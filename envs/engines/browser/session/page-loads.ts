import type { CDPSession } from 'playwright-core';

/** These may have no end, or tell nobody of it; nothing that is shown waits for the others of them. */
const endless: ReadonlySet<string> = new Set([
  'EventSource',
  'Media',
  'Ping',
  'Prefetch',
  'Preflight',
  'WebSocket',
]);

/** How much the tabs of an episode have begun to load. */
export interface LoadCount {
  begun: number;
  /** Of these, what may have come without being shown yet: all but documents, and the scripts and styles that are in them, which their load event waits for. */
  late: number;
}

/** What one tab loads, in its frames too, in the page's own word: told before the page answers what it is asked next. */
export class PageLoads {
  /** Requests, and frames on their way to a document, by their ids; each with its frame. */
  readonly #underway = new Map<string, string>();
  /** Frames that a script leads to another address of their document (`intercept` of the Navigation API): they load until it has done, for which it may want timers. */
  readonly #led = new Set<string>();
  readonly #count: LoadCount;

  constructor(count: LoadCount) {
    this.#count = count;
  }

  get isEmpty(): boolean {
    return this.#underway.size === 0;
  }

  /** Waits no more for those under way. */
  forget(): void {
    this.#underway.clear();
  }

  /** Listens to the page, which has to be enabled already. `changed` is told whenever one ends. */
  async follow(session: CDPSession, changed: () => void): Promise<void> {
    const begin = (id: string, frame: string): void => {
      this.#count.begun += 1;
      this.#underway.set(id, frame);
    };
    const end = (id: string): void => {
      if (this.#underway.delete(id)) changed();
    };
    session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, type = 'Other', initiator }) => {
      if (requestId === loaderId || endless.has(type)) return; // documents are told as frames
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
    await session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }); // nobody reads what came
  }

  /** The requests of a document that is gone end without a word. */
  #drop(isGone: (id: string, frame: string) => boolean, changed: () => void): void {
    for (const [id, frame] of this.#underway) if (isGone(id, frame)) this.#underway.delete(id);
    changed();
  }
}
