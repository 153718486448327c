import { findVariables } from '../../../shared/variables.ts';
import {
  edgesOf,
  leavesFlow,
  nodesOf,
  type Flow,
  type FlowNode,
  type FlowVariable,
  type SetNode,
} from '../document.ts';
import { Expressions, isReserved, type ExpressionType } from '../expression.ts';
import type { Report } from '../fault.ts';
import { checkHandoff, checkTalk, checkTool, type KnownAgent } from './tools.ts';

/** Faults of what nodes use: variables in texts, expressions, and the agent's tools. */
export function checkUses(flow: Flow, agent: KnownAgent, report: Report): void {
  const own = new Map((flow.variables ?? []).map((variable) => [variable.name, variable]));
  const expressions = new Expressions(allVariables(flow, agent.variables));
  const uses = new Uses(own, new Set(agent.variables), expressions, report);
  for (const node of nodesOf(flow)) {
    for (const [field, text] of textsOf(node)) uses.text(node, field, text, null);
    if (node.type === 'set') uses.assignments(node);
    if (node.type === 'tool' || node.type === 'transfer')
      checkTool(
        node,
        agent,
        own,
        (field, source, wanted) => uses.expression(node, field, source, wanted, null, 'argument'),
        report,
      );
    if (node.type === 'talk') checkTalk(node, agent, report);
    if (node.type === 'handoff') checkHandoff(node, agent, own, report);
    for (const [at, edge] of edgesOf(node).entries()) {
      if (edge.say !== undefined) uses.text(node, 'say', edge.say, at);
      if (edge.if !== undefined) uses.expression(node, 'if', edge.if, 'boolean', at, 'condition');
    }
  }
}

const IDENTIFIER = /^[A-Za-z][A-Za-z0-9_]*$/;

/** The variables of the flow, and those of the agent that an expression can name, as texts. */
export function allVariables(flow: Flow, ofAgent: readonly string[]): FlowVariable[] {
  const own = new Map<string, FlowVariable>();
  for (const name of ofAgent) if (IDENTIFIER.test(name)) own.set(name, { name, type: 'text' });
  for (const variable of flow.variables ?? []) own.set(variable.name, variable);
  return [...own.values()].filter(({ name }) => !isReserved(name));
}

/** What a node speaks itself, by field. */
function textsOf(node: FlowNode): [field: string, text: string][] {
  if (node.type === 'say') return [['text', node.text]];
  if (node.type === 'talk') return [['prompt', node.prompt]];
  if (node.type === 'collect' || node.type === 'choose') return [['ask', node.ask]];
  if ((node.type === 'end' || leavesFlow(node)) && 'say' in node && node.say !== undefined)
    return [['say', node.say]];
  return [];
}

const TYPES: Readonly<Record<FlowVariable['type'], ExpressionType>> = {
  text: 'text',
  choice: 'text',
  date: 'text',
  time: 'text',
  date_time: 'text',
  number: 'number',
  boolean: 'boolean',
};

class Uses {
  readonly #own: ReadonlyMap<string, FlowVariable>;
  readonly #ofAgent: ReadonlySet<string>;
  readonly #expressions: Expressions;
  readonly #report: Report;

  constructor(
    own: ReadonlyMap<string, FlowVariable>,
    ofAgent: ReadonlySet<string>,
    expressions: Expressions,
    report: Report,
  ) {
    this.#own = own;
    this.#ofAgent = ofAgent;
    this.#expressions = expressions;
    this.#report = report;
  }

  text(node: FlowNode, field: string, text: string, edge: number | null): void {
    for (const name of findVariables(text)) {
      if (this.#own.get(name)?.sensitive === true)
        this.#report.node(
          node,
          'sensitive_use',
          field,
          `node ${node.id} speaks ${name}, which is sensitive`,
          edge,
        );
      else if (!this.#own.has(name) && !this.#ofAgent.has(name))
        this.#report.node(
          node,
          'unknown_variable',
          field,
          `node ${node.id}: ${name} is no variable of the flow or agent`,
          edge,
        );
    }
  }

  /** `wanted`: the type that the value must have; null: any. */
  expression(
    node: FlowNode,
    field: string,
    source: string,
    wanted: ExpressionType | null,
    edge: number | null,
    use: 'condition' | 'value' | 'argument',
  ): void {
    const { type, problems, reads } = this.#expressions.check(source);
    for (const { code, message } of problems)
      this.#report.node(node, code, field, `node ${node.id}: ${message}`, edge);
    const secret = reads.find((name) => this.#own.get(name)?.sensitive === true);
    if (secret !== undefined && !(use === 'argument' && source.trim() === secret))
      this.#report.node(
        node,
        'sensitive_use',
        field,
        `node ${node.id}: ${secret} is sensitive, so only a tool may get it, as it is`,
        edge,
      );
    if (type === null || wanted === null || type === wanted) return;
    const message =
      use === 'condition' ? 'a condition must be true or false' : `the value must be a ${wanted}`;
    this.#report.node(node, 'wrong_type', field, `node ${node.id}: ${message}, and this is a ${type}`, edge);
  }

  assignments(node: SetNode): void {
    for (const [name, source] of Object.entries(node.set)) {
      const variable = this.#own.get(name);
      const field = `set.${name}`;
      if (variable === undefined) {
        this.#report.node(
          node,
          'unknown_variable',
          field,
          `node ${node.id}: ${name} is no variable of the flow`,
        );
        continue;
      }
      this.expression(node, field, source, TYPES[variable.type], null, 'value');
      const literal = /^'([^']*)'$|^"([^"]*)"$/.exec(source.trim());
      const value = literal?.[1] ?? literal?.[2];
      if (variable.type === 'choice' && value !== undefined && variable.values?.includes(value) === false)
        this.#report.node(
          node,
          'wrong_value',
          field,
          `node ${node.id}: ${JSON.stringify(value)} is no value of ${name}`,
        );
    }
  }
}
