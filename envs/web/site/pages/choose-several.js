core.page(() => {
  const names = core.some(words.first, 10);
  const wanted = core.some(names, core.randi(2, 4));
  const list = words.listed(wanted);
  core.ask(
    `Invite ${list} and nobody else, then submit.`,
    `Select ${list} in the list of guests and click Submit.`,
    `The guests are ${list}. Mark them and submit.`,
  );
  const field = ui.make(
    'select',
    { multiple: true, size: names.length },
    ...names.map((name) => ui.make('option', {}, name)),
  );
  const submit = () =>
    core.finish([...field.options].every((option) => option.selected === wanted.includes(option.text)));
  ui.show(ui.labelled('Guests', field), ui.button('Submit', submit, 'primary'));
});
