const root = new URL('../../', import.meta.url);

/**
 * The address of a program for a thread or a process that lies beside a module. Node cannot run TypeScript sources, so for a source it
 * is the built file.
 *
 * @param module the address of the module that starts it, `import.meta.url`
 * @param name of the program's file, without an extension
 */
export function programBeside(module: string, name: string): URL {
  const beside = new URL(`${name}.js`, module);
  return module.endsWith('.ts') ? new URL(`dist/${beside.href.slice(root.href.length)}`, root) : beside;
}
