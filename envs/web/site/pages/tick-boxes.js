core.page(() => {
  const names = core.some(words.goods, 9);
  const wanted = core.some(names, core.randi(2, 5));
  const list = words.listed(wanted);
  core.ask(
    `Tick ${list}, nothing else, and click Submit.`,
    `Check the boxes ${list}. Then submit.`,
    `Please select exactly these: ${list}. Submit when you are done.`,
  );
  const boxes = names.map((name) => ({ name, ...ui.tick('checkbox', name, 'goods') }));
  const submit = () => core.finish(boxes.every(({ name, input }) => input.checked === wanted.includes(name)));
  ui.show(ui.group('Things', ...boxes.map(({ line }) => line)), ui.button('Submit', submit, 'primary'));
});
