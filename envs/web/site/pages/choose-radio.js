core.page(() => {
  const names = core.some(words.fruits, 6);
  const wanted = core.sample(names);
  core.ask(
    `Select "${wanted}" and click Submit.`,
    `Choose "${wanted}", then submit.`,
    `Of these fruits pick "${wanted}" and press Submit.`,
  );
  const circles = names.map((name) => ({ name, ...ui.tick('radio', name, 'fruit') }));
  const submit = () => core.finish(circles.every(({ name, input }) => input.checked === (name === wanted)));
  ui.show(ui.group('Fruit', ...circles.map(({ line }) => line)), ui.button('Submit', submit, 'primary'));
});
