/**
 * The little language of the solutions of our own problems: the common part of Python and JavaScript. One
 * text is an oracle in both languages, can be run here without either, and can be changed by typical mistakes
 * of programmers.
 */

/** Places within a program, numbered in text order. The numbers are the same each time it is parsed. */
export type NodeId = number;

export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '==' | '!=';
export type Arithmetic = '+' | '-' | '*' | '//' | '%' | '&' | '|' | '^' | '<<' | '>>';

export type Expression =
  | { readonly kind: 'number'; readonly id: NodeId; readonly value: number }
  | { readonly kind: 'text'; readonly id: NodeId; readonly value: string }
  | { readonly kind: 'truth'; readonly id: NodeId; readonly value: boolean }
  | { readonly kind: 'name'; readonly id: NodeId; readonly name: string }
  | { readonly kind: 'list'; readonly id: NodeId; readonly items: readonly Expression[] }
  | { readonly kind: 'item'; readonly id: NodeId; readonly of: Expression; readonly at: Expression }
  /** Half open. A missing end is the end of the list or text. */
  | {
      readonly kind: 'slice';
      readonly id: NodeId;
      readonly of: Expression;
      readonly from: Expression | undefined;
      readonly to: Expression | undefined;
    }
  | {
      readonly kind: 'call';
      readonly id: NodeId;
      readonly name: string;
      readonly given: readonly Expression[];
    }
  | {
      readonly kind: 'arithmetic';
      readonly id: NodeId;
      readonly operator: Arithmetic;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'comparison';
      readonly id: NodeId;
      readonly operator: ComparisonOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'junction';
      readonly id: NodeId;
      readonly operator: 'and' | 'or';
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'not'; readonly id: NodeId; readonly of: Expression };

export type Statement =
  | {
      readonly kind: 'assign';
      readonly id: NodeId;
      readonly to: Expression;
      readonly operator: Arithmetic | undefined;
      readonly value: Expression;
    }
  | {
      readonly kind: 'if';
      readonly id: NodeId;
      readonly test: Expression;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: 'while';
      readonly id: NodeId;
      readonly test: Expression;
      readonly body: readonly Statement[];
    }
  | {
      readonly kind: 'for';
      readonly id: NodeId;
      readonly name: string;
      readonly over: Expression;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'return'; readonly id: NodeId; readonly value: Expression }
  | { readonly kind: 'leave'; readonly id: NodeId; readonly how: 'break' | 'continue' }
  | { readonly kind: 'do'; readonly id: NodeId; readonly call: Expression }
  | { readonly kind: 'pass'; readonly id: NodeId };

export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: readonly Statement[];
}

/** Functions; the last one is the required one. */
export interface Program {
  readonly functions: readonly FunctionDefinition[];
}
