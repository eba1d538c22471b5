core.page(() => {
  const names = core.some(words.cities, 12);
  const wanted = core.sample(names);
  core.ask(
    `Choose "${wanted}" from the list and click Submit.`,
    `Set the city to "${wanted}" and submit.`,
    `The city should be "${wanted}". Submit it.`,
  );
  const { list, line } = ui.select('City', ['Please choose', ...names]);
  ui.show(
    line,
    ui.button('Submit', () => core.finish(list.value === wanted), 'primary'),
  );
});
