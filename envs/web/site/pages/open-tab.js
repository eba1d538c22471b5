core.page(() => {
  const names = core.some(words.topics, 4).map(words.capital);
  const lists = names.map(() => core.some(words.goods, 5));
  const place = core.randi(0, names.length);
  const wanted = core.sample(lists[place] ?? []);
  core.ask(
    `In the tab "${names[place]}", click the link "${wanted}".`,
    `Open the tab "${names[place]}" and follow "${wanted}" there.`,
  );
  const draw = (/** @type {number} */ open) => {
    const tabs = names.map((name, index) =>
      ui.make(
        'button',
        { role: 'tab', type: 'button', 'aria-selected': String(index === open), click: () => draw(index) },
        name,
      ),
    );
    const links = (lists[open] ?? []).map((name) =>
      ui.make(
        'li',
        {},
        ui.link(name, () => core.finish(open === place && name === wanted)),
      ),
    );
    ui.show(
      ui.make('div', { role: 'tablist', 'aria-label': 'Subjects' }, ...tabs),
      ui.make('div', { role: 'tabpanel', 'aria-label': names[open] ?? '' }, ui.make('ul', {}, ...links)),
    );
  };
  draw(0);
});
