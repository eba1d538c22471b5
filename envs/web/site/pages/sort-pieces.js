core.page(() => {
  const pieces = core.some(words.goods, 6);
  const wanted = core.some(pieces, core.randi(2, 4));
  const list = words.listed(wanted);
  core.ask(
    `Drag ${list} into "Suitcase", leave the rest where it is, and click Done.`,
    `Pack ${list} into "Suitcase" and nothing else. Then press Done.`,
  );
  /** @type {HTMLElement | undefined} */
  let held;
  const things = pieces.map((name) => {
    const thing = ui.make('div', { class: 'piece', role: 'button', tabindex: 0 }, name);
    thing.addEventListener('mousedown', () => (held = thing));
    return thing;
  });
  const boxes = ['Room', 'Suitcase'].map((name) => {
    const box = ui.make('div', { class: 'box', role: 'region', 'aria-label': name }, ui.make('h3', {}, name));
    box.addEventListener('mouseup', () => {
      if (held !== undefined) box.append(held);
      held = undefined;
    });
    return box;
  });
  addEventListener('mouseup', () => (held = undefined));
  const [room, suitcase] = boxes;
  room?.append(...things);
  const done = () =>
    core.finish(
      things.every(
        (thing) => (thing.parentElement === suitcase) === wanted.includes(thing.textContent ?? ''),
      ),
    );
  ui.show(ui.row(...boxes), ui.button('Done', done, 'primary'));
});
