/**
 * Replaces random ids of the browser by ids in the order in which a page asks for them. The text runs in a
 * document before its own scripts. It covers media streams, and entries of the history, which are named by
 * their positions, so that they keep their ids in other documents.
 */
export const idScript = `
  const named = (kind, place, nth) => [nth.toString(16).padStart(8, '0'), '0000', '4000', '8' + kind, place.toString(16).padStart(12, '0')].join('-');
  const { traverseTo } = Navigation.prototype;
  const getterOf = ({ prototype }, name) => Object.getOwnPropertyDescriptor(prototype, name).get;
  const keyOf = getterOf(NavigationHistoryEntry, 'key');
  for (const [name, kind] of [['key', '001'], ['id', '002']]) {
    const names = new Map();
    const used = new Map(); // how many have had a place, one after another
    for (const holder of [NavigationHistoryEntry, NavigationDestination]) {
      const get = getterOf(holder, name);
      Object.defineProperty(holder.prototype, name, { configurable: true, get() {
        const id = get.call(this);
        if (id === '') return id;
        if (!names.has(id)) {
          const place = this.index + 1;
          const nth = used.get(place) ?? 0;
          used.set(place, nth + 1);
          names.set(id, named(kind, place, nth));
        }
        return names.get(id);
      } });
    }
  }
  Navigation.prototype.traverseTo = function (key, ...how) {
    const entry = this.entries().find((one) => one.key === String(key));
    return traverseTo.call(this, entry === undefined ? key : keyOf.call(entry), ...how);
  };
  const streams = new WeakMap();
  let lastStream = 0;
  const streamId = { configurable: true, get() {
    if (!streams.has(this)) streams.set(this, named('003', (lastStream += 1), 0));
    return streams.get(this);
  } };
  Object.defineProperty(MediaStream.prototype, 'id', streamId);
  Object.defineProperties(MediaStreamTrack.prototype, { id: streamId, label: { configurable: true, get: () => '' } });
  MediaStream.prototype.getTrackById = function (id) {
    return this.getTracks().find((track) => track.id === String(id)) ?? null;
  };
`;
