core.page(() => {
  const files = core.some(words.nouns, 6).map((noun) => `${noun}.txt`);
  const wanted = core.sample(files);
  core.ask(
    `Delete the file "${wanted}".`,
    `The file "${wanted}" is not needed any more: delete it.`,
    `Remove "${wanted}", and confirm that you mean it.`,
  );
  const ask = (/** @type {string} */ file) => {
    const buttons = core.shuffle([
      ui.button('Delete it', () => core.finish(file === wanted)),
      ui.button('Keep it', () => box.remove()),
    ]);
    const box = ui.dialog(
      'Delete for good?',
      ui.make('p', {}, `${file} cannot be brought back.`),
      ui.row(...buttons),
    );
  };
  const rows = files.map((file) => [
    file,
    `${core.randi(1, 900)} kB`,
    ui.make('button', { type: 'button', 'aria-label': `Delete ${file}`, click: () => ask(file) }, 'Delete'),
  ]);
  ui.show(ui.make('h1', {}, 'Files'), ui.table(['Name', 'Size', ''], rows));
});
