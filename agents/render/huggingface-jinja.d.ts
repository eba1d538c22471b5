/** The part that we use: the package's own types name their files in a way that Node's modules do not find. */
declare module '@huggingface/jinja' {
  /** A value of a template's own world; `value` is a string of texts, an array of lists, a map of objects. */
  export interface RuntimeValue {
    readonly type: string;
    readonly value: unknown;
  }
  /** Part of a template that was read. */
  export interface Statement {
    readonly type: string;
  }
  export class Environment {
    /** Refuses a name that it has already. Functions get the plain values of their arguments. */
    set(name: string, value: unknown): RuntimeValue;
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
  }
}
