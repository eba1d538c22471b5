core.page(() => {
  const tops = core.some(words.topics, 3);
  const tree = tops.map((name) => ({
    name: words.capital(name),
    folders: core.some(words.nouns, 3).map((folder) => ({
      name: words.capital(folder),
      files: core.some(words.goods, 3).map((file) => `${file}.txt`),
    })),
  }));
  const top = core.sample(tree);
  const folder = core.sample(top.folders);
  const wanted = core.sample(folder.files);
  core.ask(
    `Open "${top.name}", then "${folder.name}", and click the file "${wanted}".`,
    `The file "${wanted}" lies in "${folder.name}" in "${top.name}". Click it.`,
  );
  const branch = (/** @type {string} */ name, /** @type {readonly HTMLElement[]} */ below) => {
    const inside = ui.make('ul', { class: 'branch', hidden: true }, ...below);
    const head = ui.make('button', { type: 'button', 'aria-expanded': 'false' }, name);
    head.addEventListener('click', () => {
      inside.hidden = !inside.hidden;
      head.setAttribute('aria-expanded', String(!inside.hidden));
    });
    return ui.make('li', {}, head, inside);
  };
  const leaf = (/** @type {string} */ file, /** @type {boolean} */ right) =>
    ui.make(
      'li',
      {},
      ui.link(file, () => core.finish(right)),
    );
  const branches = tree.map((each) =>
    branch(
      each.name,
      each.folders.map((inner) =>
        branch(
          inner.name,
          inner.files.map((file) => leaf(file, inner === folder && file === wanted)),
        ),
      ),
    ),
  );
  ui.show(ui.make('h1', {}, 'Folders'), ui.make('ul', { class: 'branch' }, ...branches));
});
