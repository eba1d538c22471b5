core.page(() => {
  const step = core.sample([1, 5, 10]);
  const names = core.some(['Brightness', 'Volume', 'Speed', 'Contrast', 'Warmth'], 2);
  const start = names.map(() => core.randi(0, 11) * step + 20);
  const place = core.randi(0, 2);
  const away = core.sample([-9, -8, -7, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const wanted = Math.max(0, (start[place] ?? 0) + away * step);
  core.ask(
    `Set "${names[place]}" to ${wanted} with the arrow keys, and click Submit.`,
    `The slider "${names[place]}" should stand at ${wanted}. Submit when it does.`,
    `Move "${names[place]}" to ${wanted} and submit.`,
  );
  const values = [...start];
  const sliders = names.map((name, index) => {
    const knob = ui.make('span', { class: 'knob' });
    const said = ui.make('output', { 'aria-label': `${name} now` });
    const slider = ui.make(
      'div',
      { role: 'slider', tabindex: 0, 'aria-label': name, 'aria-valuemin': 0, 'aria-valuemax': 220 },
      knob,
    );
    const draw = () => {
      const value = values[index] ?? 0;
      slider.setAttribute('aria-valuenow', String(value));
      knob.style.left = `${(value / 220) * 100}%`;
      said.textContent = String(value);
    };
    slider.addEventListener('keydown', ({ key }) => {
      const by =
        key === 'ArrowRight' || key === 'ArrowUp'
          ? step
          : key === 'ArrowLeft' || key === 'ArrowDown'
            ? -step
            : 0;
      values[index] = Math.min(220, Math.max(0, (values[index] ?? 0) + by));
      draw();
    });
    draw();
    return ui.group(name, slider, said);
  });
  const submit = () =>
    core.finish(values.every((value, index) => value === (index === place ? wanted : start[index])));
  ui.show(...sliders, ui.button('Submit', submit, 'primary'));
});
