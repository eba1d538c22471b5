core.page(() => {
  const shown = { year: 2024, month: core.randi(1, 13) };
  const away = core.sample([-4, -3, -2, -1, 0, 1, 2, 3, 4]);
  const monthOf = (/** @type {number} */ offset) =>
    new Date(Date.UTC(shown.year, shown.month - 1 + offset, 1));
  const goal = monthOf(away);
  const wanted = { year: goal.getUTCFullYear(), month: goal.getUTCMonth() + 1, day: core.randi(1, 29) };
  core.ask(
    `Pick ${words.day(wanted)} in the calendar.`,
    `In the calendar, click ${words.day(wanted)}.`,
    `Turn the calendar to ${words.day(wanted)} and choose that day.`,
  );
  let offset = 0;
  const draw = () => {
    const first = monthOf(offset);
    const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
    const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
    const before = (first.getUTCDay() + 6) % 7;
    const pick = (/** @type {number} */ day) =>
      core.finish(year === wanted.year && month === wanted.month && day === wanted.day);
    const blank = (/** @type {number} */ length) => Array.from({ length }, () => '');
    const cells = [
      ...blank(before),
      ...Array.from({ length: days }, (_, place) => ui.button(String(place + 1), () => pick(place + 1))),
      ...blank((14 * 7 - before - days) % 7),
    ];
    const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
      cells.slice(week * 7, week * 7 + 7),
    );
    const turn = (/** @type {number} */ by) => () => {
      offset += by;
      draw();
    };
    const table = ui.table(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'], weeks);
    table.className = 'calendar';
    ui.show(
      ui.row(
        ui.button('Previous month', turn(-1)),
        ui.make('h2', {}, `${words.months[month - 1]} ${year}`),
        ui.button('Next month', turn(1)),
      ),
      table,
    );
  };
  draw();
});
