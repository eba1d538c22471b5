core.page(() => {
  const people = words.people(5);
  const authors = core.shuffle([...people, ...people.slice(0, 2)]);
  const who = core.sample(people);
  const wanted = core.sample(['Like', 'Share', 'Bookmark']);
  core.ask(
    `Give every post of "${who}" a "${wanted}", no other post, and click Done.`,
    `Press "${wanted}" under all posts by "${who}", then Done.`,
  );
  const posts = authors.map((author) => {
    const buttons = ['Like', 'Share', 'Bookmark'].map((name) => {
      const button = ui.make('button', { type: 'button', 'aria-pressed': 'false' }, name);
      button.addEventListener('click', () =>
        button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true')),
      );
      return { name, button };
    });
    const article = ui.make(
      'article',
      { class: 'card', 'aria-label': `Post of ${author}` },
      ui.make('h3', {}, author),
      ui.make('p', {}, words.sentence(7)),
      ui.row(...buttons.map(({ button }) => button)),
    );
    return { author, buttons, article };
  });
  const done = () =>
    core.finish(
      posts.every(({ author, buttons }) =>
        buttons.every(
          ({ name, button }) =>
            (button.getAttribute('aria-pressed') === 'true') === (author === who && name === wanted),
        ),
      ),
    );
  ui.show(...posts.map(({ article }) => article), ui.button('Done', done, 'primary'));
});
