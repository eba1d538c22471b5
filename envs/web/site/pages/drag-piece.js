core.page(() => {
  const pieces = core.some(words.fruits, 5);
  const boxes = core.some(['Basket', 'Crate', 'Bowl', 'Bag', 'Drawer', 'Shelf'], 3);
  const [piece, box] = [core.sample(pieces), core.sample(boxes)];
  core.ask(
    `Drag "${piece}" into "${box}".`,
    `Put "${piece}" into "${box}" with the mouse.`,
    `Move the piece "${piece}" over to "${box}".`,
  );
  let held = '';
  const drop = (/** @type {string} */ name) => {
    if (held !== '') core.finish(held === piece && name === box);
  };
  const lying = pieces.map((name) =>
    ui.make('div', { class: 'piece', role: 'button', tabindex: 0, mousedown: () => (held = name) }, name),
  );
  addEventListener('mouseup', () => (held = ''));
  const targets = boxes.map((name) =>
    ui.make(
      'div',
      { class: 'box', role: 'region', 'aria-label': name, mouseup: () => drop(name) },
      ui.make('h3', {}, name),
    ),
  );
  ui.show(ui.row(...lying), ui.row(...targets));
});
