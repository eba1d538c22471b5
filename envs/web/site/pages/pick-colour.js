core.page(() => {
  const names = core.some(Object.keys(words.colours), 6);
  const wanted = core.sample(names);
  core.ask(`Click the ${wanted} box.`, `Which box is ${wanted}? Click it.`, `Pick the colour ${wanted}.`);
  const boxes = names.map((name) =>
    ui.make('div', {
      class: 'swatch',
      style: `background-color: ${words.paint(name)}`,
      click: () => core.finish(name === wanted),
    }),
  );
  ui.show(ui.row(...boxes));
});
