core.page(() => {
  const names = core.some(words.topics, 3).map(words.capital);
  const items = names.map(() => core.some(words.labels, 5));
  const place = core.randi(0, names.length);
  const wanted = core.sample(items[place] ?? []);
  core.ask(
    `Choose "${wanted}" in the menu "${names[place]}".`,
    `Open the menu "${names[place]}" and click "${wanted}".`,
    `From the menu "${names[place]}" take "${wanted}".`,
  );
  const draw = (/** @type {number | undefined} */ open) => {
    const heads = names.map((name, index) => {
      const head = ui.make(
        'span',
        {
          role: 'menuitem',
          tabindex: 0,
          'aria-haspopup': 'menu',
          'aria-expanded': String(index === open),
          click: () => draw(index === open ? undefined : index),
        },
        name,
      );
      const below = (items[index] ?? []).map((item) =>
        ui.make(
          'li',
          { role: 'none' },
          ui.make(
            'span',
            { role: 'menuitem', tabindex: -1, click: () => core.finish(index === place && item === wanted) },
            item,
          ),
        ),
      );
      return ui.make(
        'li',
        { role: 'none' },
        head,
        index === open ? ui.make('ul', { role: 'menu', 'aria-label': name }, ...below) : undefined,
      );
    });
    ui.show(ui.make('ul', { role: 'menubar', 'aria-label': 'Main menu' }, ...heads));
  };
  draw(undefined);
});
