/** The part that we use: the package's own types name their files in a way that Node's modules do not find. */
declare module '@huggingface/jinja' {
  /** A value of a template's own world, which never changes but for namespaces; `value` is a string of texts, an array of lists, a map of objects. */
  export interface RuntimeValue {
    readonly type: string;
    readonly value: unknown;
  }
  /** Part of a template that was read. */
  export interface Statement {
    readonly type: string;
  }
  export class Environment {
    constructor(parent?: Environment);
    /** Refuses a name that it has already. Functions get the plain values of their arguments. */
    set(name: string, value: unknown): RuntimeValue;
    /** Also where it has one of that name. */
    setVariable(name: string, value: RuntimeValue): RuntimeValue;
    /** Its own, or that of what it is within; what is undefined is a value, too. */
    lookupVariable(name: string): RuntimeValue;
  }
  export class Interpreter {
    constructor(environment: Environment);
    run(program: Statement): RuntimeValue;
    /** Called for every part, by itself too. */
    evaluate(statement: Statement | undefined, environment: Environment): RuntimeValue;
  }
  export class Template {
    constructor(source: string);
    readonly parsed: Statement;
    render(values: Readonly<Record<string, unknown>>): string;
  }
}
