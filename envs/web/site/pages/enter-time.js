core.page(() => {
  const [hour, minute] = [core.randi(0, 24), core.randi(0, 60)];
  const two = (/** @type {number} */ part) => String(part).padStart(2, '0');
  const said = `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? 'am' : 'pm'}`;
  core.ask(
    `Set the alarm to ${said} and click Submit.`,
    `Wake me at ${said}: fill in the time and submit.`,
    `Enter ${said} as the time, then submit.`,
  );
  const { input, line } = ui.text('Alarm', 'time');
  ui.show(
    line,
    ui.button('Submit', () => core.finish(input.value === `${two(hour)}:${two(minute)}`), 'primary'),
  );
});
