// Forms of any length, as many fields as the document asks for in `data-fields`: names and values stand in the instruction.
core.page(() => {
  const count = Number(document.body.dataset['fields'] ?? '5');
  core.EPISODE_MAX_TIME = Math.max(10_000, count * 1000);
  const titles = core.some(
    words.nouns.flatMap((noun) =>
      ['Name of the', 'State of the', 'Date of the', 'Place of the'].map((start) => `${start} ${noun}`),
    ),
    count,
  );
  const wanted = titles.map((title) => draw(title));

  /**
   * A field with the value that is wanted of it.
   *
   * @param {string} title
   */
  function draw(title) {
    if (title.startsWith('Name')) {
      const value = words.person();
      const { input, line } = ui.text(title);
      return { title, value, line, isRight: () => input.value.trim() === value };
    }
    if (title.startsWith('Date')) {
      const value = `${core.randi(2000, 2030)}-${String(core.randi(1, 13)).padStart(2, '0')}-${String(core.randi(1, 29)).padStart(2, '0')}`;
      const { input, line } = ui.text(title, 'date');
      return { title, value, line, isRight: () => input.value === value };
    }
    if (title.startsWith('State')) {
      const value = core.sample(['ticked', 'not ticked']);
      const { input, line } = ui.tick('checkbox', title, title);
      return { title, value, line, isRight: () => input.checked === (value === 'ticked') };
    }
    const cities = core.some(words.cities, 6);
    const value = core.sample(cities);
    const { list, line } = ui.select(title, ['Please choose', ...cities]);
    return { title, value, line, isRight: () => list.value === value };
  }

  const said = core.shuffle(wanted).map(({ title, value }) => `"${title}": "${value}"`);
  core.ask(
    `Fill in the form and send it. ${said.join('; ')}.`,
    `Send the form with these values: ${said.join('; ')}.`,
    `The form should say ${said.join('; ')}. Fill it in and send it.`,
  );
  const sections = Array.from({ length: Math.ceil(count / 10) }, (_, part) =>
    ui.group(
      `Part ${part + 1}`,
      ui.make(
        'div',
        { class: 'columns' },
        ...wanted.slice(part * 10, part * 10 + 10).map(({ line }) => line),
      ),
    ),
  );
  ui.show(
    ...sections,
    ui.button('Send', () => core.finish(wanted.every(({ isRight }) => isRight())), 'primary'),
  );
});
