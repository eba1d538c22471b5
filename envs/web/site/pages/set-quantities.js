core.page(() => {
  const goods = core.some(words.goods, 4);
  const wanted = goods.map(() => core.randi(0, 5));
  const list = goods.map((name, index) => `${wanted[index]} of "${name}"`).join(', ');
  core.ask(`Put into the basket: ${list}. Then click Order.`, `Order ${list}.`);
  core.EPISODE_MAX_TIME = 20_000;
  const counts = goods.map(() => core.randi(0, 3));
  const rows = goods.map((name, index) => {
    const said = ui.make('output', { 'aria-label': `Count of ${name}` }, counts[index]);
    const change = (/** @type {number} */ by) => () => {
      counts[index] = Math.max(0, (counts[index] ?? 0) + by);
      said.textContent = String(counts[index]);
    };
    const more = ui.make(
      'button',
      { type: 'button', 'aria-label': `One more ${name}`, click: change(1) },
      '+',
    );
    const less = ui.make(
      'button',
      { type: 'button', 'aria-label': `One less ${name}`, click: change(-1) },
      '−',
    );
    return [name, ui.row(less, said, more)];
  });
  ui.show(
    ui.table(['Article', 'Count'], rows),
    ui.button('Order', () => core.finish(counts.every((count, index) => count === wanted[index])), 'primary'),
  );
});
