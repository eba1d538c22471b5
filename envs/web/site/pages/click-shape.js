core.page(() => {
  const kinds = ['circle', 'square', 'triangle'];
  const all = kinds.flatMap((kind) => ['small', 'large'].flatMap((size) => ['red', 'green', 'blue', 'yellow', 'black'].map((colour) => ({ kind, size, colour }))));
  const shapes = core.some(all, 10);
  const wanted = core.sample(shapes);
  const said = `${wanted.size} ${wanted.colour} ${wanted.kind}`;
  core.ask(`Click the ${said}.`, `In the picture, click on the ${said}.`, `Find the ${said} and click it.`);
  const drawn = shapes.map((each, place) => {
    const fill = words.paint(each.colour);
    const half = each.size === 'small' ? 12 : 30;
    const [x, y] = [(place % 5) * 78 + 40 + core.randi(-5, 6), Math.floor(place / 5) * 110 + 60 + core.randi(-20, 21)];
    const shape =
      each.kind === 'circle'
        ? ui.shape('circle', { cx: x, cy: y, r: half, fill })
        : each.kind === 'square'
          ? ui.shape('rect', { x: x - half, y: y - half, width: 2 * half, height: 2 * half, fill })
          : ui.shape('polygon', { points: `${x - half},${y + half} ${x + half},${y + half} ${x},${y - half}`, fill });
    shape.addEventListener('click', () => core.finish(each === wanted));
    return shape;
  });
  ui.show(ui.picture('Shapes', drawn));
});
