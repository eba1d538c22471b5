/**
 * Refuses features that have their own clock or pace, or that depend on the machine. The text runs in a
 * document before its own scripts and after its clock. They fail at once, as in a browser whose user has
 * denied them. There are no workers, because the content and time of their messages would never repeat
 * exactly.
 */
export const refusalScript = `
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport', 'Worker', 'SharedWorker']) delete globalThis[name];
  delete Navigator.prototype.connection; // an estimate of how quick the network is
  delete Atomics.waitAsync;
  for (const name of ['webkitRequestFileSystem', 'webkitResolveLocalFileSystemURL']) delete globalThis[name]; // whose files are dated by the machine
  for (const [name, of] of [['outerWidth', 'width'], ['outerHeight', 'height']]) Object.defineProperty(globalThis, name, { configurable: true, get: () => screen[of], set: (value) => Object.defineProperty(globalThis, name, { value, writable: true }) }); // 0 while a window is new
  Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { configurable: true, get: () => 4 });
  const notAllowed = (what) => new DOMException(what + ' is not allowed here.', 'NotAllowedError');
  const refusePosition = (_told, failed) => {
    if (typeof failed === 'function') later(() => failed(Object.create(GeolocationPositionError.prototype, { code: { value: 1 }, message: { value: 'User denied Geolocation' } })), 0);
    return 0;
  };
  if (typeof Geolocation === 'function') Object.assign(Geolocation.prototype, { getCurrentPosition: refusePosition, watchPosition: refusePosition, clearWatch: () => undefined });
  if (typeof Notification === 'function') {
    Object.defineProperty(Notification, 'permission', { configurable: true, get: () => 'denied' });
    Object.defineProperty(Notification.prototype, 'timestamp', { configurable: true, get() { return begun + timeOf(this); } });
    Notification.requestPermission = async (told) => {
      told?.('denied');
      return 'denied';
    };
  }
  if (typeof Permissions === 'function') {
    Permissions.prototype.query = async ({ name }) => Object.assign(new EventTarget(), { name, state: 'denied', status: 'denied', onchange: null });
  }
  Element.prototype.requestFullscreen = async () => {
    throw new TypeError('fullscreen is not allowed here.');
  };
  Element.prototype.requestPointerLock = async () => {
    throw notAllowed('pointer lock');
  };
  HTMLMediaElement.prototype.play = async () => {
    throw notAllowed('playing');
  };
  if (typeof BaseAudioContext === 'function') {
    const closed = new WeakSet();
    for (const name of ['AudioContext', 'webkitAudioContext']) {
      if (globalThis[name] === undefined) continue;
      globalThis[name] = new Proxy(globalThis[name], { construct(target, given, as) {
        const context = Reflect.construct(target, given, as);
        suspend.call(context).catch(() => undefined);
        context.addEventListener('statechange', (event) => event.stopImmediatePropagation());
        return context;
      } });
    }
    const { suspend, close } = AudioContext.prototype;
    Object.defineProperties(AudioContext.prototype, {
      state: { configurable: true, get() { return closed.has(this) ? 'closed' : 'suspended'; } },
      currentTime: { configurable: true, get: () => 0 },
      resume: { configurable: true, writable: true, value: () => new Promise(() => undefined) },
      suspend: { configurable: true, writable: true, value: async () => undefined },
      close: { configurable: true, writable: true, async value() {
        closed.add(this);
        close.call(this).catch(() => undefined);
      } },
      getOutputTimestamp: { configurable: true, writable: true, value: () => ({ contextTime: 0, performanceTime: 0 }) },
    });
  }
  if (typeof SpeechSynthesis === 'function') {
    SpeechSynthesis.prototype.getVoices = () => [];
    SpeechSynthesis.prototype.speak = (utterance) => void later(() => utterance.dispatchEvent(new SpeechSynthesisErrorEvent('error', { utterance, error: 'not-allowed' })), 0);
  }
  const { Error: AnyError } = globalThis;
  const isScripted = () => { // whether a script of the page's has called what calls this
    const { stackTraceLimit } = AnyError;
    AnyError.stackTraceLimit = 3;
    const { stack } = new AnyError();
    AnyError.stackTraceLimit = stackTraceLimit;
    return String(stack).split('\\n').length > 3;
  };
  addEventListener('load', () => {
    const refresh = [...document.querySelectorAll('meta[http-equiv="refresh" i]')].at(-1)?.content.match(/^\\s*(\\d+)(?:\\.\\d*)?\\s*(?:[;,]\\s*(?:url\\s*=\\s*)?(["']?)(.*?)\\2\\s*)?$/i);
    if (refresh == null) return;
    const address = new URL(refresh[3] || location.href, document.baseURI).href;
    const refuse = (event) => { // the browser's own, which goes by its own clock
      if (!event.isTrusted || event.destination.url !== address || event.sourceElement !== null || event.userInitiated || isScripted()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      navigation.removeEventListener('navigate', refuse, true);
    };
    navigation.addEventListener('navigate', refuse, true);
    later(() => location.replace(address), Number(refresh[1]) * 1000);
  }, true);
`;
