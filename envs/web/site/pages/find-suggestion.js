core.page(() => {
  const pool = core.some(
    [
      ...words.cities,
      ...words.fruits.map(words.capital),
      ...words.goods.map(words.capital),
      ...words.nouns.map(words.capital),
    ],
    50,
  );
  const wanted = core.sample(pool);
  const [start, end] = [wanted.slice(0, 2), wanted.slice(-2)];
  const fits = (/** @type {string} */ item) => item.startsWith(start) && item.endsWith(end);
  core.ask(
    `Enter an item that starts with "${start}" and ends with "${end}", taken from the suggestions, and submit.`,
    `Some suggestion starts with "${start}" and ends with "${end}". Choose it and click Submit.`,
  );
  const { input, line } = ui.text('Item');
  const list = ui.make('ul', { role: 'listbox', 'aria-label': 'Suggestions', hidden: true });
  input.setAttribute('role', 'combobox');
  input.addEventListener('input', () => {
    const found =
      input.value.length < 2
        ? []
        : pool.filter((item) => item.toLowerCase().startsWith(input.value.toLowerCase()));
    const take = (/** @type {string} */ item) => () => {
      input.value = item;
      list.hidden = true;
    };
    list.replaceChildren(...found.map((item) => ui.make('li', { role: 'option', click: take(item) }, item)));
    list.hidden = found.length === 0;
  });
  ui.show(
    line,
    list,
    ui.button('Submit', () => core.finish(pool.includes(input.value) && fits(input.value)), 'primary'),
  );
});
