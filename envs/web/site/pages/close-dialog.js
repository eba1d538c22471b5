core.page(() => {
  const names = core.some(words.labels, 3);
  const wanted = core.sample(names);
  core.ask(
    `Leave the dialog with "${wanted}".`,
    `A dialog is in the way. Close it with its "${wanted}" button.`,
    `Answer the dialog by pressing "${wanted}".`,
  );
  ui.show(ui.make('p', {}, words.sentence(9)));
  ui.dialog(
    words.capital(core.sample(words.topics)),
    ui.make('p', {}, words.sentence(7)),
    ui.row(...names.map((name) => ui.button(name, () => core.finish(name === wanted)))),
  );
});
