core.page(() => {
  const names = core
    .shuffle(words.first.flatMap((first) => core.some(words.last, 2).map((last) => `${first} ${last}`)))
    .slice(0, 48);
  const wanted = core.sample(names);
  core.ask(
    `Find "${wanted}" in the list, which grows while it is scrolled, and click the name.`,
    `Scroll through the members until "${wanted}" comes up; click on it.`,
  );
  const list = ui.make('ul', {});
  let shown = 0;
  const grow = () => {
    for (const name of names.slice(shown, shown + 12))
      list.append(
        ui.make(
          'li',
          {},
          ui.link(name, () => core.finish(name === wanted)),
        ),
      );
    shown = list.children.length;
  };
  const scroller = ui.make(
    'div',
    { class: 'scroller', role: 'region', 'aria-label': 'Members', tabindex: 0 },
    list,
  );
  scroller.addEventListener('scroll', () => {
    if (scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 30) grow();
  });
  grow();
  ui.show(ui.make('h1', {}, 'Members'), scroller);
});
