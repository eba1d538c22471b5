core.page(() => {
  const columns = core.some(['Height', 'Weight', 'Age', 'Points', 'Distance', 'Price'], 4);
  const people = words.people(6);
  const rows = people.map((person) => [person, ...columns.map(() => String(core.randi(10, 1000)))]);
  const [place, column] = [core.randi(0, rows.length), core.randi(0, columns.length)];
  const [who, what] = [people[place], columns[column]];
  core.ask(
    `What does the table say for "${who}" under "${what}"? Enter it and submit.`,
    `Find "${what}" of "${who}" in the table, type it into the field and click Submit.`,
  );
  const { input, line } = ui.text('Answer');
  ui.show(
    ui.table(['Name', ...columns], rows),
    line,
    ui.button('Submit', () => core.finish(input.value.trim() === rows[place]?.[column + 1]), 'primary'),
  );
});
