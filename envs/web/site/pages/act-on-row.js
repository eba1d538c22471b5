core.page(() => {
  const people = words.people(6);
  const goods = core.some(words.goods, 6);
  const actions = ['Ship', 'Refund', 'Cancel'];
  const place = core.randi(0, people.length);
  const wanted = core.sample(actions);
  core.ask(
    `Look for the order of "${people[place]}" and choose "${wanted}".`,
    `For the order of "${people[place]}", press "${wanted}".`,
    `"${people[place]}" has written: please press "${wanted}" for that order.`,
  );
  const rows = people.map((person, index) => [
    person,
    goods[index],
    ui.row(
      ...actions.map((action) => ui.button(action, () => core.finish(index === place && action === wanted))),
    ),
  ]);
  ui.show(ui.make('h1', {}, 'Orders'), ui.table(['Customer', 'Ordered', 'Actions'], rows));
});
