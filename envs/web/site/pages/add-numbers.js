core.page(() => {
  const [left, right] = [core.randi(2, 60), core.randi(2, 40)];
  const sign = core.sample(['plus', 'minus']);
  const answer = sign === 'plus' ? left + right : left - right;
  core.ask(
    'Work it out, enter the result and click Submit.',
    'Solve the sum: type what it makes, then submit.',
  );
  const { input, line } = ui.text('Result');
  ui.show(
    ui.make('p', {}, `${left} ${sign} ${right} = ?`),
    line,
    ui.button('Submit', () => core.finish(input.value.trim() === String(answer)), 'primary'),
  );
});
