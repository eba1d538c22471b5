core.page(() => {
  const names = core.some(words.labels, 6);
  const wanted = core.sample(names);
  core.ask(
    `Click the "${wanted}" button.`,
    `Press "${wanted}".`,
    `Please push the button that says "${wanted}".`,
  );
  ui.show(ui.row(...names.map((name) => ui.button(name, () => core.finish(name === wanted)))));
});
