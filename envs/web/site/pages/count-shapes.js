core.page(() => {
  const colours = core.some(['red', 'green', 'blue', 'yellow'], 3);
  const kinds = ['circle', 'square', 'triangle'];
  const shapes = Array.from({ length: core.randi(8, 16) }, (_, place) => ({
    colour: core.sample(colours),
    kind: core.sample(kinds),
    x: (place % 6) * 64 + core.randi(30, 44),
    y: Math.floor(place / 6) * 76 + core.randi(30, 50),
  }));
  const wanted = core.sample(shapes);
  const count = shapes.filter(({ colour, kind }) => colour === wanted.colour && kind === wanted.kind).length;
  const said = `${wanted.colour} ${wanted.kind}s`;
  core.ask(
    `How many ${said} are there? Click the number.`,
    `Count the ${said} in the picture and click how many there are.`,
  );
  const drawn = shapes.map(({ colour, kind, x, y }) =>
    ui.shape(kind, { x, y, half: 20, fill: words.paint(colour) }),
  );
  const numbers = Array.from({ length: 16 }, (_, place) => place + 1);
  const others = core.some(
    numbers.slice(0, 8).filter((number) => number !== count),
    4,
  );
  const answers = numbers.filter((number) => number === count || others.includes(number));
  ui.show(
    ui.picture('Shapes', drawn),
    ui.row(...answers.map((answer) => ui.button(String(answer), () => core.finish(answer === count)))),
  );
});
