core.page(() => {
  const people = words.people(6);
  const topics = core.some(words.topics, 6);
  const actions = ['Archive', 'Delete', 'Star'];
  const place = core.randi(0, people.length);
  const wanted = core.sample(actions);
  core.ask(
    `Open the e-mail of "${people[place]}" and choose "${wanted}".`,
    `There is an e-mail from "${people[place]}": open it and press "${wanted}".`,
  );
  const open = (/** @type {number} */ index) => {
    const buttons = actions.map((action) =>
      ui.button(action, () => core.finish(index === place && action === wanted)),
    );
    ui.show(
      ui.make('h1', {}, words.capital(topics[index] ?? '')),
      ui.make('p', { class: 'soft' }, `From ${people[index]}`),
      ui.make('p', {}, bodies[index]),
      ui.row(ui.button('Back to the inbox', inbox), ...buttons),
    );
  };
  const bodies = people.map(() => words.sentence(9));
  const inbox = () => {
    const mails = people.map((person, index) => [
      person,
      ui.link(words.capital(topics[index] ?? ''), () => open(index)),
    ]);
    ui.show(ui.make('h1', {}, 'Inbox'), ui.table(['From', 'Subject'], mails));
  };
  inbox();
});
