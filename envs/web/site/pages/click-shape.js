core.page(() => {
  const kinds = ['circle', 'square', 'triangle'];
  const all = kinds.flatMap((kind) =>
    ['small', 'large'].flatMap((size) =>
      ['red', 'green', 'blue', 'yellow', 'black'].map((colour) => ({ kind, size, colour })),
    ),
  );
  const shapes = core.some(all, 10);
  const wanted = core.sample(shapes);
  const said = `${wanted.size} ${wanted.colour} ${wanted.kind}`;
  core.ask(`Click the ${said}.`, `In the picture, click on the ${said}.`, `Find the ${said} and click it.`);
  const drawn = shapes.map((each, place) => {
    const [x, y] = [
      (place % 5) * 78 + 40 + core.randi(-5, 6),
      Math.floor(place / 5) * 110 + 60 + core.randi(-20, 21),
    ];
    const shape = ui.shape(each.kind, {
      x,
      y,
      half: each.size === 'small' ? 12 : 30,
      fill: words.paint(each.colour),
    });
    shape.addEventListener('click', () => core.finish(each === wanted));
    return shape;
  });
  ui.show(ui.picture('Shapes', drawn));
});
