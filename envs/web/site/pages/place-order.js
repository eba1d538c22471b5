core.page(() => {
  const goods = core.some(words.goods, 8);
  const wanted = core.some(goods, core.randi(1, 4));
  const [name, city] = [words.person(), core.sample(words.cities)];
  const way = core.sample(['Standard', 'Express', 'Pick-up']);
  core.EPISODE_MAX_TIME = 20_000;
  core.ask(
    `Order ${words.listed(wanted)} for "${name}" in "${city}" with delivery "${way}".`,
    `Buy ${words.listed(wanted)}. The receiver is "${name}" in "${city}", the delivery is "${way}".`,
  );
  /** @type {Set<string>} */
  const basket = new Set();
  const address = {
    name: ui.text('Name'),
    city: ui.text('City'),
    delivery: ui.select('Delivery', ['Please choose', 'Standard', 'Express', 'Pick-up']),
  };
  const shop = () => {
    const cards = goods.map((item) => {
      const inside = basket.has(item);
      const toggle = () => {
        if (inside) basket.delete(item);
        else basket.add(item);
        shop();
      };
      return ui.make(
        'div',
        { class: 'card', role: 'group', 'aria-label': item },
        ui.make('h3', {}, item),
        ui.make(
          'button',
          { type: 'button', 'aria-label': `${inside ? 'Remove' : 'Add'} ${item}`, click: toggle },
          inside ? 'Remove' : 'Add',
        ),
      );
    });
    ui.show(
      ui.make('h1', {}, 'Shop'),
      ui.make('div', { class: 'columns' }, ...cards),
      ui.make('p', {}, `${basket.size} in the basket`),
      ui.button('Go to checkout', checkout, 'primary'),
    );
  };
  const checkout = () =>
    ui.show(
      ui.make('h1', {}, 'Checkout'),
      address.name.line,
      address.city.line,
      address.delivery.line,
      ui.row(ui.button('Review the order', review, 'primary'), ui.button('Back to the shop', shop)),
    );
  const review = () => {
    const given = [
      address.name.input.value.trim(),
      address.city.input.value.trim(),
      address.delivery.list.value,
    ];
    const right =
      wanted.every((item) => basket.has(item)) &&
      basket.size === wanted.length &&
      [name, city, way].every((value, index) => given[index] === value);
    ui.show(
      ui.make('h1', {}, 'Your order'),
      ui.make('ul', {}, ...[...basket].map((item) => ui.make('li', {}, item))),
      ui.make('p', {}, given.join(', ')),
      ui.row(
        ui.button('Place the order', () => core.finish(right), 'primary'),
        ui.button('Change it', checkout),
      ),
    );
  };
  shop();
});
