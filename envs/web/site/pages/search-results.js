core.page(() => {
  const topic = core.sample(words.topics);
  const place = core.randi(1, 10);
  const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth'];
  const titles = new Map(
    words.topics.map((each) => [
      each,
      Array.from({ length: 9 }, () => `${words.sentence(3).slice(0, -1)} (${each})`),
    ]),
  );
  core.ask(
    `Search for "${topic}" and open the ${ordinals[place - 1]} result.`,
    `Look up "${topic}" and click the ${ordinals[place - 1]} result that is found.`,
  );
  const { input, line } = ui.text('Search the site', 'search');
  const results = ui.make('div', { 'aria-live': 'polite' });
  /** @type {(query: string, page: number) => void} */
  const show = (query, page) => {
    const found = titles.get(query) ?? [];
    const links = found.slice(page * 3, page * 3 + 3).map((title, index) =>
      ui.make(
        'li',
        { value: page * 3 + index + 1 },
        ui.link(title, () => core.finish(query === topic && page * 3 + index + 1 === place)),
      ),
    );
    const pages = [0, 1, 2].map((number) => ui.button(`Page ${number + 1}`, () => show(query, number)));
    results.replaceChildren(
      ...(found.length === 0
        ? [ui.make('p', {}, 'Nothing was found.')]
        : [
            ui.make('h2', {}, `Results for ${query}, page ${page + 1} of 3`),
            ui.make('ol', {}, ...links),
            ui.row(...pages),
          ]),
    );
  };
  ui.show(
    line,
    ui.button('Search', () => show(input.value.trim().toLowerCase(), 0), 'primary'),
    results,
  );
});
