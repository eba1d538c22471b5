// A small site of several documents: a fact of one of them is asked for in another.
core.pageOfSeveral(() => {
  const cities = core.some(words.cities, 6);
  const articles = cities.map((city) => ({
    city,
    facts: {
      founded: core.randi(900, 1900),
      bridges: core.randi(2, 99),
      museums: core.randi(2, 99),
      parks: core.randi(2, 99),
    },
    text: words.sentence(9),
  }));
  const wanted = core.sample(articles);
  const [fact, answer] = core.sample(Object.entries(wanted.facts));
  core.EPISODE_MAX_TIME = 20_000;
  const question =
    fact === 'founded'
      ? `In which year was "${wanted.city}" founded`
      : `How many ${fact} has "${wanted.city}"`;
  core.ask(
    `${question} according to the handbook? Answer on its first page.`,
    `${question}? Look it up in the handbook and enter the answer on its first page.`,
  );
  const open = new URLSearchParams(location.search).get('article');
  const article = articles.find(({ city }) => city === open);
  if (article === undefined) {
    const links = articles.map(({ city }) =>
      ui.make('li', {}, ui.make('a', { href: `read-handbook.html?article=${city}` }, city)),
    );
    const { input, line } = ui.text('Answer');
    ui.show(
      ui.make('h1', {}, 'Handbook of cities'),
      ui.make('ul', {}, ...links),
      line,
      ui.button('Submit', () => core.finish(input.value.trim() === String(answer)), 'primary'),
    );
    return;
  }
  const { founded, bridges, museums, parks } = article.facts;
  const facts = [
    `It was founded in ${founded}.`,
    `It has ${bridges} bridges.`,
    `It has ${museums} museums.`,
    `It has ${parks} parks.`,
  ].map((each) => ui.make('p', {}, each));
  ui.show(
    ui.make('h1', {}, article.city),
    ui.make('p', {}, article.text),
    ...facts,
    ui.make('a', { href: 'read-handbook.html' }, 'Back to the first page'),
  );
});
