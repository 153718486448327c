import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import type { FlowVariable, VariableType } from './document.ts';

/** Values of variables during a conversation. A variable without an entry is not known yet. */
export type Value = string | number | boolean;
export type Values = Readonly<Record<string, Value>>;

const CEL_TYPES = {
  text: 'string',
  choice: 'string',
  date: 'string',
  time: 'string',
  date_time: 'string',
  number: 'double',
  boolean: 'bool',
} as const;
/** The object `known` has a field a variable: whether it has a value. */
export const KNOWN = 'known';
/** Whether a name cannot be one of a variable in an expression: a word or type of CEL. */
export function isReserved(name: string): boolean {
  if (name === KNOWN) return true;
  try {
    return !new Environment().registerVariable(name, 'string').parse(`${name} == ''`).check().valid;
  } catch {
    return true;
  }
}
/**
 * Functions that expressions may call. Regular expressions and the macros over lists are left out: their cost has no
 * useful bound, and conditions run while a caller waits.
 */
const FUNCTIONS = new Set(['size', 'contains', 'startsWith', 'endsWith', 'int', 'double', 'string']);

export interface ExpressionProblem {
  readonly code: 'bad_expression' | 'unknown_variable' | 'wrong_type' | 'wrong_value';
  readonly message: string;
}
/** What an expression yields: `number` for both kinds of numbers of CEL. */
export type ExpressionType = 'text' | 'number' | 'boolean';

export interface CheckedExpression {
  readonly type: ExpressionType | null;
  readonly problems: readonly ExpressionProblem[];
  /** Variables that it reads. */
  readonly reads: readonly string[];
}

/** The expressions of one flow: variables by their types, parsed once each. */
export class Expressions {
  readonly #environment: Environment;
  readonly #variables: ReadonlyMap<string, FlowVariable>;
  readonly #parsed = new Map<string, ReturnType<Environment['parse']>>();

  constructor(variables: readonly FlowVariable[]) {
    this.#variables = new Map(variables.map((variable) => [variable.name, variable]));
    this.#environment = environmentOf(variables);
  }

  /** What is wrong with an expression, and the type of its value. */
  check(source: string): CheckedExpression {
    let parsed;
    try {
      parsed = this.#parse(source);
    } catch (error) {
      return { type: null, problems: [{ code: 'bad_expression', message: firstLine(error) }], reads: [] };
    }
    const nodes = [...below(parsed.ast)];
    const forbidden = nodes.flatMap(calledFunction).find((name) => !FUNCTIONS.has(name));
    if (forbidden !== undefined)
      return problem(
        'bad_expression',
        `the function ${forbidden} is not supported; there are ${[...FUNCTIONS].join(', ')}`,
      );
    const reads = nodes.flatMap((node) => (node.op === 'id' && node.args !== KNOWN ? [node.args] : []));
    const unknown = reads.find((name) => !this.#variables.has(name));
    if (unknown !== undefined)
      return problem('unknown_variable', `${unknown} is no variable of the flow or agent`);
    const checked = parsed.check();
    if (!checked.valid) return { ...problem('wrong_type', firstLine(checked.error)), reads };
    const type = typeOf(checked.type);
    if (type === null)
      return { ...problem('wrong_type', 'the value must be a text, a number or a boolean'), reads };
    return { type, problems: nodes.flatMap((node) => this.#wrongChoice(node)), reads };
  }

  /** The value of a checked expression; null where it has none, such as after a division by zero. */
  evaluate(source: string, values: Values): Value | null {
    try {
      const found: unknown = this.#parse(source)(this.#context(values));
      if (typeof found === 'bigint') return Number(found);
      if (typeof found === 'number') return Number.isFinite(found) ? found : null;
      if (typeof found === 'string') return found.slice(0, 1000);
      return typeof found === 'boolean' ? found : null;
    } catch {
      return null;
    }
  }

  #parse(source: string): ReturnType<Environment['parse']> {
    const parsed = this.#parsed.get(source) ?? this.#environment.parse(source);
    this.#parsed.set(source, parsed);
    return parsed;
  }

  #context(values: Values): Record<string, unknown> {
    const names = [...this.#variables.values()];
    return {
      ...Object.fromEntries(names.map(({ name, type }) => [name, values[name] ?? emptyOf(type)])),
      [KNOWN]: Object.fromEntries(names.map(({ name }) => [name, Object.hasOwn(values, name)])),
    };
  }

  /** A choice that is compared with a text which is none of its values. */
  #wrongChoice(node: ASTNode): ExpressionProblem[] {
    if (node.op !== '==' && node.op !== '!=') return [];
    const [left, right] = node.args;
    const [id, literal] = left.op === 'id' ? [left, right] : [right, left];
    if (id.op !== 'id' || literal.op !== 'value' || typeof literal.args !== 'string') return [];
    const variable = this.#variables.get(id.args);
    if (variable?.type !== 'choice' || variable.values?.includes(literal.args) === true) return [];
    return [{ code: 'wrong_value', message: `${JSON.stringify(literal.args)} is no value of ${id.args}` }];
  }
}

/** The value that expressions see of a variable that is not known. */
const emptyOf = (type: VariableType): Value => (type === 'number' ? 0 : type === 'boolean' ? false : '');

const problem = (code: ExpressionProblem['code'], message: string): CheckedExpression => ({
  type: null,
  problems: [{ code, message }],
  reads: [],
});

function environmentOf(variables: readonly FlowVariable[]): Environment {
  const environment = new Environment({ limits: { maxAstNodes: 200, maxDepth: 30 } });
  for (const { name, type } of variables) environment.registerVariable(name, CEL_TYPES[type]);
  environment.registerVariable(KNOWN, {
    schema: Object.fromEntries(variables.map(({ name }) => [name, 'bool'])),
  });
  // Numbers of the document are doubles, and literals such as 1 are integers.
  for (const [operator, run] of Object.entries(ARITHMETIC)) {
    const mixed = (a: unknown, b: unknown): number => run(Number(a), Number(b));
    environment.registerOperator(`double ${operator} int`, mixed);
    environment.registerOperator(`int ${operator} double`, mixed);
  }
  // Of equality one order brings the other, and inequality.
  environment.registerOperator('double == int', (a: number, b: bigint) => a === Number(b));
  return environment.registerOperator('double % double', (a: number, b: number) => a % b);
}
const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function typeOf(type: string | undefined): ExpressionType | null {
  if (type === 'bool') return 'boolean';
  if (type === 'double' || type === 'int') return 'number';
  return type === 'string' ? 'text' : null;
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim() ?? '';

const calledFunction = (node: ASTNode): string[] =>
  node.op === 'call' || node.op === 'rcall' ? [node.args[0]] : [];

/** An expression and all of its parts. */
function* below(node: ASTNode): Generator<ASTNode> {
  yield node;
  for (const part of [node.args].flat(3)) if (isNode(part)) yield* below(part);
}
const isNode = (part: unknown): part is ASTNode =>
  typeof part === 'object' && part !== null && 'op' in part && 'args' in part;
