core.page(() => {
  const secret = core.randi(1, 101);
  core.ask(
    'Guess the number from 1 to 100. Each guess is told to be too low or too high; you have eight guesses.',
    'A number from 1 to 100 is hidden. Find it in at most eight guesses.',
  );
  const { input, line } = ui.text('Your guess');
  const said = ui.make('ol', { 'aria-label': 'Guesses' });
  const guess = () => {
    const value = Number(input.value);
    input.value = '';
    if (value === secret) core.finish(true);
    else said.append(ui.make('li', {}, `${value} is too ${value < secret ? 'low' : 'high'}.`));
    if (said.children.length === 8) core.finish(false);
  };
  ui.show(line, ui.button('Guess', guess, 'primary'), said);
});
