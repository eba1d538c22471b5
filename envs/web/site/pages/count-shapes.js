core.page(() => {
  const colours = core.some(['red', 'green', 'blue', 'yellow'], 3);
  const kinds = ['circle', 'square', 'triangle'];
  const shapes = Array.from({ length: core.randi(8, 16) }, (_, place) => ({ colour: core.sample(colours), kind: core.sample(kinds), left: (place % 6) * 64 + core.randi(10, 24), top: Math.floor(place / 6) * 76 + core.randi(10, 30) }));
  const wanted = core.sample(shapes);
  const count = shapes.filter(({ colour, kind }) => colour === wanted.colour && kind === wanted.kind).length;
  const said = `${wanted.colour} ${wanted.kind}s`;
  core.ask(`How many ${said} are there? Click the number.`, `Count the ${said} in the picture and click how many there are.`);
  const drawn = shapes.map(({ colour, kind, left, top }) => {
    const fill = words.paint(colour);
    if (kind === 'circle') return ui.shape('circle', { cx: left + 20, cy: top + 20, r: 20, fill });
    if (kind === 'square') return ui.shape('rect', { x: left, y: top, width: 38, height: 38, fill });
    return ui.shape('polygon', { points: `${left},${top + 38} ${left + 40},${top + 38} ${left + 20},${top}`, fill });
  });
  const numbers = Array.from({ length: 16 }, (_, place) => place + 1);
  const others = core.some(numbers.slice(0, 8).filter((number) => number !== count), 4);
  const answers = numbers.filter((number) => number === count || others.includes(number));
  ui.show(ui.picture('Shapes', drawn), ui.row(...answers.map((answer) => ui.button(String(answer), () => core.finish(answer === count)))));
});
