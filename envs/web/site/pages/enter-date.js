core.page(() => {
  const date = { year: core.randi(2020, 2030), month: core.randi(1, 13), day: core.randi(1, 29) };
  const said = words.day(date);
  core.ask(
    `Set the date to ${said} and click Submit.`,
    `Enter ${said} as the day of arrival, then submit.`,
    `They arrive on ${said}. Fill it in and submit.`,
  );
  const { input, line } = ui.text('Arrival', 'date');
  const wanted = `${date.year}-${String(date.month).padStart(2, '0')}-${String(date.day).padStart(2, '0')}`;
  ui.show(
    line,
    ui.button('Submit', () => core.finish(input.value === wanted), 'primary'),
  );
});
