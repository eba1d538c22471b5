const root = new URL('../../', import.meta.url);

/**
 * Where the program of a thread or a process is that lies beside a module. Node cannot run our sources by itself: of a source it is what was built.
 *
 * @param module the address of the module that starts it, `import.meta.url`
 * @param name of the program's file, without an extension
 */
export function programBeside(module: string, name: string): URL {
  const beside = new URL(`${name}.js`, module);
  return module.endsWith('.ts') ? new URL(`dist/${beside.href.slice(root.href.length)}`, root) : beside;
}
