core.page(() => {
  const text = core.some(words.nouns, 24);
  const linked = core.some(text, 6);
  const wanted = core.sample(linked);
  core.ask(
    `Click the link "${wanted}".`,
    `Follow the link that reads "${wanted}".`,
    `Somewhere in the text is a link "${wanted}": click on it.`,
  );
  const content = text.flatMap((word) => [
    linked.includes(word) ? ui.link(word, () => core.finish(word === wanted)) : word,
    ' ',
  ]);
  ui.show(ui.make('p', {}, ...content));
});
