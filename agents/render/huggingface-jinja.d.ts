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
  /** A piece of a template; `Text` is what stands between the marks. */
  export interface Token {
    readonly type: string;
    readonly value: string;
  }
  /** @throws SyntaxError where it cannot read the source */
  export function tokenize(source: string): Token[];
  /** @throws SyntaxError where the tokens are no template */
  export function parse(tokens: readonly Token[]): Statement;
  export class Environment {
    /** Its own variables; `namespace` is among them. */
    readonly variables: Map<string, RuntimeValue>;
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
    /** The text of statements, one after another; all that consist of statements call it. */
    protected evaluateBlock(statements: readonly Statement[], environment: Environment): RuntimeValue;
    /** The arguments of a call: those by place, and those by name. */
    protected evaluateArguments(
      args: readonly Statement[],
      environment: Environment,
    ): [RuntimeValue[], Map<string, RuntimeValue>];
  }
  export class Template {
    constructor(source: string);
    readonly parsed: Statement;
    render(values: Readonly<Record<string, unknown>>): string;
  }
}
