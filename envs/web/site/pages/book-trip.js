core.page(() => {
  const [from = '', to = ''] = core.some(words.cities, 2);
  const date = { year: 2024, month: core.randi(1, 13), day: core.randi(1, 29) };
  const day = `${date.year}-${String(date.month).padStart(2, '0')}-${String(date.day).padStart(2, '0')}`;
  const wish = core.sample(['cheapest', 'shortest']);
  const class_ = core.sample(['Second', 'First']);
  core.EPISODE_MAX_TIME = 20_000;
  core.ask(
    `Book the ${wish} train from "${from}" to "${to}" on ${words.day(date)}, class "${class_}".`,
    `I want to travel from "${from}" to "${to}" on ${words.day(date)} in class "${class_}". Book the ${wish} connection.`,
  );
  const prices = core.some(
    Array.from({ length: 60 }, (_, place) => 20 + place),
    6,
  );
  const minutes = core.some(
    Array.from({ length: 90 }, (_, place) => 60 + place * 3),
    6,
  );
  const best =
    wish === 'cheapest' ? prices.indexOf(Math.min(...prices)) : minutes.indexOf(Math.min(...minutes));
  const cities = ['Please choose', ...words.cities];
  const fields = {
    from: ui.select('From', cities),
    to: ui.select('To', cities),
    day: ui.text('Day', 'date'),
  };
  /** @type {(found: boolean, chosen: number) => void} */
  const confirm = (found, chosen) => {
    const circles = ['Second', 'First'].map((name) => ({ name, ...ui.tick('radio', name, 'class') }));
    const book = () =>
      core.finish(
        found && chosen === best && circles.every(({ name, input }) => input.checked === (name === class_)),
      );
    ui.show(
      ui.make('h1', {}, 'Your booking'),
      ui.make('p', {}, `Train ${chosen + 1}: ${minutes[chosen]} minutes, ${prices[chosen]} euros.`),
      ui.group('Class', ...circles.map(({ line }) => line)),
      ui.row(ui.button('Book', book, 'primary'), ui.button('Search again', search)),
    );
  };
  const results = () => {
    const found =
      fields.from.list.value === from && fields.to.list.value === to && fields.day.input.value === day;
    const rows = prices.map((price, index) => [
      `Train ${index + 1}`,
      `${minutes[index]} minutes`,
      `${price} euros`,
      ui.make(
        'button',
        { type: 'button', 'aria-label': `Choose train ${index + 1}`, click: () => confirm(found, index) },
        'Choose',
      ),
    ]);
    ui.show(
      ui.make('h1', {}, `${fields.from.list.value} to ${fields.to.list.value}`),
      ui.table(['Train', 'Takes', 'Costs', ''], rows),
      ui.button('Search again', search),
    );
  };
  const search = () =>
    ui.show(
      ui.make('h1', {}, 'Where to?'),
      fields.from.line,
      fields.to.line,
      fields.day.line,
      ui.button('Search', results, 'primary'),
    );
  search();
});
