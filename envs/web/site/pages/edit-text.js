core.page(() => {
  const [before = '', wanted = ''] = core.some(words.topics, 2);
  const [title = '', place = ''] = core.some(words.cities, 2);
  const field = core.sample(['Subject', 'Title', 'Place']);
  core.ask(
    `Change the field "${field}" to "${wanted}" and click Save.`,
    `Replace what "${field}" holds by "${wanted}", then save.`,
    `"${field}" is wrong: it should be "${wanted}". Mend it and save.`,
  );
  const fields = ['Subject', 'Title', 'Place'].map((name, index) => ({
    name,
    held: [before, title, place][index] ?? '',
    ...ui.text(name),
  }));
  for (const { input, held } of fields) input.value = held;
  const save = () =>
    core.finish(fields.every(({ name, input, held }) => input.value === (name === field ? wanted : held)));
  ui.show(...fields.map(({ line }) => line), ui.button('Save', save, 'primary'));
});
