/**
 * Keeps console output and uncaught errors inside the page. The text runs in a document before its own
 * scripts. Each message would go through the browser to the process that all episodes share, where nobody
 * reads it. A page that writes without end would delay the others. `console` does nothing, and uncaught
 * errors count as handled once the page has received them.
 */
export const consoleScript = `
  for (const [name, method] of Object.entries(console))
    if (typeof method === 'function' && name !== 'createTask') console[name] = { [name]() {} }[name]; // a task runs what it is given
  console.context = { context: () => console }.context; // else another that does speak
  for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, (event) => event.preventDefault());
`;
