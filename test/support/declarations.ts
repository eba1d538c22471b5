import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A name as a file of declarations has it. */
export interface DeclaredName {
  /** Relative to the folder of the build. */
  readonly file: string;
  readonly name: string;
}

interface Declaration {
  readonly kind: 'type' | 'value';
  /** Whether other files can name it. */
  readonly exported: boolean;
  /** Without comments and literals. */
  readonly text: string;
}

interface DeclarationFile {
  readonly declared: ReadonlyMap<string, Declaration>;
  /** Names that come from other files of the build, as they are called here. */
  readonly brought: ReadonlyMap<string, DeclaredName>;
  /** What others can import of it from other files, as it is called outside. */
  readonly passedOn: ReadonlyMap<string, DeclaredName>;
}

/** The declarations of a build, as the compiler writes them: each statement begins at the left margin. */
export class Declarations {
  readonly #root: string;
  readonly #files = new Map<string, DeclarationFile>();

  constructor(root: string) {
    this.#root = root;
  }

  /** What an entry exports: the place of each declaration. */
  exportsOf(entry: string): readonly DeclaredName[] {
    return [...this.#read(entry).passedOn.values()].map((name) => this.#origin(name));
  }

  /**
   * Types that a declaration names, by where they are declared: itself, through the type of a value, or through a type that only its own file
   * can name.
   */
  typesIn({ file, name }: DeclaredName, passed: ReadonlySet<string> = new Set()): readonly DeclaredName[] {
    const { declared, brought } = this.#read(file);
    const declaration = declared.get(name);
    if (declaration === undefined || passed.has(`${file} ${name}`)) return [];
    const beyond = new Set([...passed, `${file} ${name}`]);
    const named = new Set(
      [...declaration.text.matchAll(/(?<![.\w$])[A-Za-z_$][\w$]*/g)].map(([word]) => word),
    );
    named.delete(name);
    return [...named].flatMap((word) => {
      const target = brought.get(word) ?? (declared.has(word) ? { file, name: word } : undefined);
      if (target === undefined) return [];
      const origin = this.#origin(target);
      const found = this.#read(origin.file).declared.get(origin.name);
      if (found?.kind === 'type') return found.exported ? [origin] : this.typesIn(origin, beyond);
      return new RegExp(`\\btypeof ${word.replaceAll('$', '\\$')}\\b`).test(declaration.text)
        ? this.typesIn(origin, beyond)
        : [];
    });
  }

  /** The place where a name is declared, through files that only pass it on. */
  #origin(name: DeclaredName): DeclaredName {
    const next = this.#read(name.file).passedOn.get(name.name);
    return next === undefined ? name : this.#origin(next);
  }

  #read(file: string): DeclarationFile {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const read = readDeclarations(file, readFileSync(path.join(this.#root, file), 'utf8'));
    this.#files.set(file, read);
    return read;
  }
}

const isRelative = (target: string): boolean => target.startsWith('.');

function readDeclarations(file: string, source: string): DeclarationFile {
  const declared = new Map<string, Declaration>();
  const brought = new Map<string, DeclaredName>();
  const passedOn = new Map<string, DeclaredName>();
  const text = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  for (const statement of text.split(/\n(?=[a-z])/)) {
    const [, verb, names, target] =
      /^(import|export) (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?/.exec(statement) ?? [];
    if (verb !== undefined && names !== undefined) {
      if (target !== undefined && !isRelative(target)) continue;
      const place =
        target === undefined
          ? undefined
          : path.posix.join(path.posix.dirname(file), target).replace(/\.[jt]s$/, '.d.ts');
      for (const [inner, outer] of namesIn(names)) {
        const from = place === undefined ? brought.get(inner) : { file: place, name: inner };
        if (from !== undefined) (verb === 'import' ? brought : passedOn).set(outer, from);
      }
      continue;
    }
    const [, kind, name] =
      /^(?:export )?(?:declare )?(?:abstract )?(interface|type|class|enum|const|let|function) ([\w$]+)/.exec(
        statement,
      ) ?? [];
    if (kind === undefined || name === undefined) continue;
    const before = declared.get(name)?.text ?? ''; // overloads
    declared.set(name, {
      kind: /^(?:interface|type|class|enum)$/.test(kind) ? 'type' : 'value',
      exported: statement.startsWith('export '),
      text: `${before}\n${withoutPrivates(statement.replace(/'[^'\n]*'|"[^"\n]*"/g, "''"))}`,
    });
  }
  return { declared, brought, passedOn };
}

/** `A, type B as C` as pairs of the inner and the outer name. */
function namesIn(list: string): readonly (readonly [inner: string, outer: string])[] {
  return list.split(',').flatMap((each) => {
    const [inner = '', outer = inner] = each
      .trim()
      .replace(/^type /, '')
      .split(' as ');
    return inner === '' ? [] : [[inner, outer] as const];
  });
}

/** Nobody outside can name the types of what is private. */
const withoutPrivates = (statement: string): string => statement.replace(/^\s*private [^;]*;$/gm, '');
