/**
 * Keeps what pages tell to people who debug them in the page, as text that runs in a document before its own scripts: each such word goes through the browser to the process that all episodes share,
 * where nobody reads it, and a page that writes without end would hold the others up. `console` does nothing, and errors that nobody caught count as dealt with once the page has heard of them.
 */
export const consoleScript = `
  for (const [name, method] of Object.entries(console))
    if (typeof method === 'function' && name !== 'createTask') console[name] = { [name]() {} }[name]; // a task runs what it is given
  console.context = { context: () => console }.context; // else another that does speak
  for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, (event) => event.preventDefault());
`;
