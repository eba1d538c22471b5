/** Reads a page of the site as a browser would, and checks it against the rules of HTML and accessibility. */

export interface SiteButton {
  /** Its accessible name. */
  readonly name: string;
  readonly field: string;
  readonly value: string;
  readonly pressed: boolean | undefined;
  readonly focused: boolean;
  readonly look: string;
}

export interface ReadSite {
  readonly title: string;
  readonly text: string;
  /** The buttons, in the order of the page. */
  readonly clicks: readonly SiteButton[];
  /** Where its form is sent to, and the step that it names; undefined where there is no form. */
  readonly action: string | undefined;
  readonly step: string | undefined;
  readonly notice: string | undefined;
  /** Whether there is a field to search with. */
  readonly searches: boolean;
  /** The faults of the page. */
  readonly faults: readonly string[];
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  text: string;
}

const voids = new Set(['meta', 'link', 'input', '!doctype']);

/** Every element that pages are made of, with its permitted attributes. None of them runs or loads anything. */
const known: Readonly<Record<string, string>> = {
  '!doctype': 'html',
  html: 'lang',
  head: '',
  meta: 'charset name content',
  title: '',
  link: 'rel href',
  body: '',
  a: 'class href aria-current',
  header: 'class',
  div: 'class',
  span: 'class dir',
  aside: 'class aria-label',
  strong: '',
  p: 'class role id dir',
  nav: 'class aria-label',
  main: 'id tabindex',
  h1: 'dir',
  h2: 'id dir',
  form: 'id class role method action',
  input: 'id type name value min max required autocomplete',
  label: 'for',
  button: 'class form name value dir aria-pressed aria-describedby aria-label autofocus',
  ol: 'class',
  ul: 'class',
  li: 'dir',
  section: 'class aria-label',
  article: 'class',
  fieldset: '',
  legend: 'dir',
  dl: '',
  dt: 'dir',
  dd: 'dir',
};

export function readSite(source: string): ReadSite {
  const faults: string[] = [];
  const open: Element[] = [];
  const all: Element[] = [];
  for (const [token] of source.matchAll(/<[^>]*>|[^<]+/g)) {
    if (token.startsWith('</')) {
      const closed = open.pop();
      if (closed?.name !== token.slice(2, -1)) faults.push(`${token} closes ${closed?.name}`);
    } else if (token.startsWith('<')) {
      const element = readTag(token);
      const allowed = known[element.name]?.split(' ');
      if (allowed === undefined) faults.push(`unknown element ${token}`);
      for (const attribute of element.attributes.keys())
        if (allowed?.includes(attribute) !== true)
          faults.push(`unknown attribute ${attribute} of ${element.name}`);
      all.push(element);
      if (!voids.has(element.name)) open.push(element);
    } else {
      for (const element of open) element.text += unescapeReferences(token);
    }
  }
  faults.push(...open.map(({ name }) => `${name} is never closed`), ...structureFaults(all));
  const of = (name: string): readonly Element[] => all.filter((element) => element.name === name);
  const [acting] = of('form');
  const [step] = of('input').filter(({ attributes }) => attributes.get('name') === 'step');
  const [title = { text: '' }] = of('title');
  return {
    title: title.text,
    text: of('body')[0]?.text ?? '',
    clicks: of('button')
      .filter(({ attributes }) => attributes.get('name') === 'click')
      .map(buttonOf),
    action: acting?.attributes.get('action'),
    step: step?.attributes.get('value'),
    notice: all.find(({ attributes }) => attributes.get('role') === 'status')?.text,
    searches: all.some(({ attributes }) => attributes.get('type') === 'search'),
    faults,
  };
}

/** Landmarks, headings, ids, labels and descriptions. */
function structureFaults(all: readonly Element[]): readonly string[] {
  const count = (name: string): number => all.filter((element) => element.name === name).length;
  const ids = all.flatMap(({ attributes }) => attributes.get('id') ?? []);
  const levels = all.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
  const fields = all.filter(
    ({ name, attributes }) => name === 'input' && attributes.get('type') !== 'hidden',
  );
  const labels = new Set(
    all.flatMap(({ name, attributes }) => (name === 'label' ? [attributes.get('for')] : [])),
  );
  return [
    ...(['main', 'header', 'h1', 'title'] as const)
      .filter((name) => count(name) !== 1)
      .map((name) => `${count(name)} of ${name}`),
    ...(levels[0] === 1 && levels.every((level, index) => level <= (levels[index - 1] ?? 1) + 1)
      ? []
      : [`headings ${levels.join()}`]),
    ...(new Set(ids).size === ids.length ? [] : ['an id comes twice']),
    ...fields.filter(({ attributes }) => !labels.has(attributes.get('id'))).map(() => 'a field has no label'),
    ...all
      .flatMap(({ attributes }) => attributes.get('aria-describedby') ?? [])
      .filter((id) => !ids.includes(id))
      .map((id) => `nothing is called ${id}`),
    ...all
      .flatMap(({ attributes }) => attributes.get('form') ?? [])
      .filter((id) => !ids.includes(id))
      .map((id) => `no form is called ${id}`),
    ...(all.some(({ name, attributes }) => name === 'html' && attributes.get('lang') === 'en')
      ? []
      : ['no language']),
    ...all
      .filter(
        ({ attributes, name }) =>
          name === 'a' &&
          attributes.get('class') === 'skip' &&
          !ids.includes((attributes.get('href') ?? '').slice(1)),
      )
      .map(() => 'the way past the head leads nowhere'),
  ];
}

function buttonOf({ attributes, text }: Element): SiteButton {
  const pressed = attributes.get('aria-pressed');
  return {
    name: attributes.get('aria-label') ?? text,
    field: attributes.get('name') ?? '',
    value: attributes.get('value') ?? '',
    pressed: pressed === undefined ? undefined : pressed === 'true',
    focused: attributes.has('autofocus'),
    look: attributes.get('class') ?? '',
  };
}

function readTag(token: string): Element {
  const [, name = ''] = /^<([^\s>]+)/.exec(token) ?? [];
  const attributes = [...token.matchAll(/\s([\w-]+)(?:="([^"]*)")?/g)].map(
    ([, key = '', value = '']) => [key, unescapeReferences(value)] as const,
  );
  return { name: name.toLowerCase(), attributes: new Map(attributes), text: '' };
}

const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const unescapeReferences = (text: string): string =>
  text.replaceAll(/&([^;\s]{1,8});/g, (reference, name: string) => characters[name] ?? reference);
