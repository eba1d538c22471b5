core.page(() => {
  const names = core.some(words.topics, 3).map(words.capital);
  const branches = names.map(() =>
    core
      .some(words.nouns, 3)
      .map((name) => ({ name: words.capital(name), leaves: core.some(words.labels, 4) })),
  );
  const place = core.randi(0, names.length);
  const branch = core.sample(branches[place] ?? []);
  const wanted = core.sample(branch.leaves);
  core.ask(
    `In the menu, go to "${names[place]}", then "${branch.name}", and choose "${wanted}".`,
    `Choose "${names[place]}", "${branch.name}", "${wanted}" in the menu, which opens under the mouse.`,
  );
  /** @type {(name: string, below: readonly HTMLElement[]) => HTMLElement} */
  const entry = (name, below) => {
    const item = ui.make('span', { role: 'menuitem', tabindex: -1, 'aria-haspopup': 'menu' }, name);
    const menu = ui.make('ul', { role: 'menu', 'aria-label': name, hidden: true }, ...below);
    const whole = ui.make('li', { role: 'none' }, item, menu);
    whole.addEventListener('mouseenter', () => (menu.hidden = false));
    whole.addEventListener('mouseleave', () => (menu.hidden = true));
    return whole;
  };
  const leaf = (/** @type {string} */ name, /** @type {boolean} */ right) =>
    ui.make(
      'li',
      { role: 'none' },
      ui.make('span', { role: 'menuitem', tabindex: -1, click: () => core.finish(right) }, name),
    );
  const heads = names.map((name, index) => {
    const below = (branches[index] ?? []).map((each) =>
      entry(
        each.name,
        each.leaves.map((name) => leaf(name, each === branch && name === wanted)),
      ),
    );
    return entry(name, below);
  });
  ui.show(ui.make('ul', { role: 'menubar', 'aria-label': 'Main menu' }, ...heads));
});
