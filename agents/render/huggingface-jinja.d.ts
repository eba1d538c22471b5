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
