// Makes elements of pages. What can be used has its role and its name from the element itself or from a label.

/** @typedef {string | number | Node | undefined} Content */

const ui = (() => {
  let lastId = 0;

  /**
   * @template {keyof HTMLElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {Readonly<Record<string, string | number | boolean | (() => void)>>} [attributes] functions listen to the event of their name
   * @param {...Content} content
   * @returns {HTMLElementTagNameMap[Tag]}
   */
  const make = (tag, attributes = {}, ...content) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value === 'function') element.addEventListener(name, value);
      else if (value === true) element.setAttribute(name, '');
      else if (value !== false) element.setAttribute(name, String(value));
    }
    for (const part of content)
      if (part !== undefined) element.append(typeof part === 'number' ? String(part) : part);
    return element;
  };

  /** @param {...Content} content */
  const show = (...content) => {
    core
      .byId('area')
      .replaceChildren(
        ...content
          .filter((part) => part !== undefined)
          .map((part) => (typeof part === 'number' ? String(part) : part)),
      );
  };

  /** @param {...Content} content */
  const row = (...content) => make('div', { class: 'row' }, ...content);

  /**
   * @param {string} name
   * @param {() => void} click
   * @param {string} [style] a class
   */
  const button = (name, click, style = '') => make('button', { type: 'button', class: style, click }, name);

  /**
   * A link within the page.
   *
   * @param {string} name
   * @param {() => void} click
   */
  const link = (name, click) => {
    const anchor = make('a', { href: '#' }, name);
    anchor.addEventListener('click', (event) => {
      event.preventDefault();
      click();
    });
    return anchor;
  };

  /**
   * A label above a field.
   *
   * @param {string} name
   * @param {HTMLElement} field
   */
  const labelled = (name, field) => {
    lastId += 1;
    field.id = `field-${lastId}`;
    return make('div', { class: 'field' }, make('label', { for: field.id }, name), field);
  };

  /**
   * A box or a circle to choose, with its label behind it.
   *
   * @param {'checkbox' | 'radio'} type
   * @param {string} name
   * @param {string} group
   */
  const tick = (type, name, group) => {
    lastId += 1;
    const input = make('input', { type, id: `field-${lastId}`, name: group });
    return { input, line: make('div', { class: 'tick' }, input, make('label', { for: input.id }, name)) };
  };

  /**
   * @param {string} name
   * @param {readonly string[]} options the first stands for no choice
   */
  const select = (name, options) => {
    const list = make('select', {}, ...options.map((option) => make('option', {}, option)));
    return { list, line: labelled(name, list) };
  };

  /**
   * @param {string} name
   * @param {string} [type]
   */
  const text = (name, type = 'text') => {
    const input = make('input', { type, autocomplete: 'off' });
    return { input, line: labelled(name, input) };
  };

  /**
   * @param {string} legend
   * @param {...Content} content
   */
  const group = (legend, ...content) => make('fieldset', {}, make('legend', {}, legend), ...content);

  /**
   * @param {readonly string[]} heads
   * @param {readonly (readonly Content[])[]} rows
   */
  const table = (heads, rows) =>
    make(
      'table',
      {},
      make('thead', {}, make('tr', {}, ...heads.map((head) => make('th', { scope: 'col' }, head)))),
      make('tbody', {}, ...rows.map((cells) => make('tr', {}, ...cells.map((cell) => make('td', {}, cell))))),
    );

  /**
   * A question over the page, which is in the way until it is closed.
   *
   * @param {string} title
   * @param {...Content} content
   */
  const dialog = (title, ...content) => {
    const box = make('dialog', { 'aria-label': title }, make('h2', {}, title), ...content);
    core.byId('area').append(box);
    box.showModal();
    return box;
  };

  /**
   * A picture of shapes; each is a role of its own.
   *
   * @param {string} name
   * @param {readonly SVGElement[]} shapes
   */
  const picture = (name, shapes) => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 400 240');
    svg.setAttribute('aria-label', name);
    svg.setAttribute('role', 'group');
    svg.append(...shapes);
    return svg;
  };

  /**
   * A circle, a square or a triangle about a point.
   *
   * @param {string} kind
   * @param {{ x: number, y: number, half: number, fill: string }} drawn
   */
  const shape = (kind, { x, y, half, fill }) => {
    const [left, right, top, bottom] = [x - half, x + half, y - half, y + half];
    const [tag, attributes] =
      kind === 'circle'
        ? ['circle', { cx: x, cy: y, r: half }]
        : kind === 'square'
          ? ['rect', { x: left, y: top, width: 2 * half, height: 2 * half }]
          : ['polygon', { points: `${left},${bottom} ${right},${bottom} ${x},${top}` }];
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries({ ...attributes, fill, role: 'img', 'aria-label': kind }))
      element.setAttribute(name, String(value));
    return element;
  };

  return {
    make,
    show,
    row,
    button,
    link,
    labelled,
    tick,
    select,
    text,
    group,
    table,
    dialog,
    picture,
    shape,
  };
})();
