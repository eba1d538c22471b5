/** The part that we use. The package's own types import their files in a way that Node cannot resolve. */
declare module '@huggingface/jinja' {
  /**
   * A value of the template language, immutable except for namespaces. `value` is a string for texts, an
   * array for lists, a map for objects.
   */
  export interface RuntimeValue {
    readonly type: string;
    readonly value: unknown;
  }
  /** A node of a parsed template. */
  export interface Statement {
    readonly type: string;
  }
  export class Environment {
    constructor(parent?: Environment);
    /** Refuses a name that exists already. Functions get their arguments as plain values. */
    set(name: string, value: unknown): RuntimeValue;
    /** Also replaces an existing variable. */
    setVariable(name: string, value: RuntimeValue): RuntimeValue;
    /** Looks the name up here and in enclosing scopes. An undefined name gives a value too. */
    lookupVariable(name: string): RuntimeValue;
  }
  export class Interpreter {
    constructor(environment: Environment);
    run(program: Statement): RuntimeValue;
    /** Evaluates a node. The interpreter also calls it for every child. */
    evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue;
  }
  export class Template {
    constructor(source: string);
    readonly parsed: Statement;
    render(values: Readonly<Record<string, unknown>>): string;
  }
}
