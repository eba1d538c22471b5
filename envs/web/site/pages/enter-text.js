core.page(() => {
  const wanted = core.some([...words.nouns, ...words.fruits], core.randi(1, 3)).join(' ');
  core.ask(
    `Enter "${wanted}" into the field and click Submit.`,
    `Type "${wanted}", then submit.`,
    `Write "${wanted}" in the text field and press Submit.`,
  );
  const { input, line } = ui.text('Text');
  ui.show(
    line,
    ui.button('Submit', () => core.finish(input.value === wanted), 'primary'),
  );
});
