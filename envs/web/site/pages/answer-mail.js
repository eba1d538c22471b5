core.page(() => {
  const people = words.people(6);
  const topics = core.some(words.topics, 6);
  const bodies = people.map(() => words.sentence(9));
  const place = core.randi(0, people.length);
  const way = core.sample(['reply', 'forward']);
  const text = words.sentence(3);
  const to = core.sample(people.filter((_, index) => index !== place));
  if (way === 'reply')
    core.ask(
      `Reply to the e-mail of "${people[place]}" with the text "${text}".`,
      `Answer "${people[place]}": write "${text}" as a reply to the e-mail and send it.`,
    );
  else
    core.ask(
      `Forward the e-mail of "${people[place]}" to "${to}".`,
      `Pass the e-mail that "${people[place]}" wrote on to "${to}": forward it.`,
    );
  const open = (/** @type {number} */ index) => {
    ui.show(
      ui.make('h1', {}, words.capital(topics[index] ?? '')),
      ui.make('p', { class: 'soft' }, `From ${people[index]}`),
      ui.make('p', {}, bodies[index]),
      ui.row(
        ui.button('Reply', () => write(index, 'reply')),
        ui.button('Forward', () => write(index, 'forward')),
        ui.button('Back to the inbox', inbox),
      ),
    );
  };
  const write = (/** @type {number} */ index, /** @type {string} */ how) => {
    const receiver = ui.text('To');
    const body = ui.make('textarea', {});
    receiver.input.value = how === 'reply' ? (people[index] ?? '') : '';
    body.value = how === 'forward' ? (bodies[index] ?? '') : '';
    const wantedTo = way === 'reply' ? people[place] : to;
    const wantedText = way === 'reply' ? text : bodies[place];
    const send = () =>
      core.finish(
        index === place &&
          how === way &&
          receiver.input.value.trim() === wantedTo &&
          body.value.trim() === wantedText,
      );
    ui.show(
      ui.make('h1', {}, how === 'reply' ? 'Reply' : 'Forward'),
      receiver.line,
      ui.labelled('Text', body),
      ui.row(
        ui.button('Send', send, 'primary'),
        ui.button('Back to the e-mail', () => open(index)),
      ),
    );
  };
  const inbox = () => {
    const mails = people.map((person, index) => [
      person,
      ui.link(words.capital(topics[index] ?? ''), () => open(index)),
    ]);
    ui.show(ui.make('h1', {}, 'Inbox'), ui.table(['From', 'Subject'], mails));
  };
  inbox();
});
