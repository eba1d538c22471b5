core.page(() => {
  const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];
  const lines = ordinals.map(() => words.sentence(3));
  const place = core.randi(0, lines.length);
  core.ask(
    `Type the ${ordinals[place]} line of the poem into the field and submit.`,
    `Copy the ${ordinals[place]} line into the field below it, then click Submit.`,
  );
  const { input, line } = ui.text('Your copy');
  ui.show(
    ui.make('h1', {}, 'Poem'),
    ui.make('ol', {}, ...lines.map((each) => ui.make('li', {}, each))),
    line,
    ui.button('Submit', () => core.finish(input.value === lines[place]), 'primary'),
  );
});
