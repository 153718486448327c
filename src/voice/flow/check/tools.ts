import type { FlowVariable, HandoffNode, TalkNode, ToolNode, TransferNode } from '../document.ts';
import type { ExpressionType } from '../expression.ts';
import type { Report } from '../fault.ts';

export interface KnownTool {
  readonly name: string;
  /** `request`: a tool with an answer; `other`: keys, recording, the end of the call. */
  readonly kind: 'request' | 'transfer' | 'other';
  readonly arguments: readonly KnownArgument[];
}
export interface KnownArgument {
  readonly name: string;
  readonly type: ExpressionType;
  readonly isRequired: boolean;
  readonly isSensitive: boolean;
}

/** What the check knows of the agent that a flow is for. */
export interface KnownAgent {
  /** Names of variables that have a value beside those of the flow. */
  readonly variables: readonly string[];
  readonly tools: readonly KnownTool[];
  /** The agents that the flow names, as far as they exist. */
  readonly agents: readonly { readonly id: string; readonly name: string; readonly language: string }[];
  /** Its languages, and the voices that the flow names, as far as they exist. */
  readonly languages: readonly string[];
  readonly voices: readonly {
    readonly id: string;
    readonly name: string;
    readonly languages: readonly string[];
  }[];
  /** Ids of its knowledge bases. */
  readonly knowledge: readonly string[];
  /** True: tools of MCP servers join at the start of each call, so a name may be one of theirs. */
  readonly hasServers: boolean;
  /** A model of meanings on this machine judges `when` in its language where no language model does. */
  readonly judgesMeaning?: boolean;
}

/** Faults of a handoff node: its agent, and the variables that it passes. */
export function checkHandoff(
  node: HandoffNode,
  { agents }: KnownAgent,
  own: ReadonlyMap<string, FlowVariable>,
  report: Report,
): void {
  const agent = agents.find(({ id }) => id === node.agent_id.toLowerCase());
  if (agent === undefined)
    report.node(
      node,
      'unknown_agent',
      'agent_id',
      `node ${node.id}: ${node.agent_id} is no agent of this workspace, or it is archived`,
    );
  for (const name of node.pass ?? []) {
    const variable = own.get(name);
    if (variable === undefined)
      report.node(node, 'unknown_variable', 'pass', `node ${node.id}: ${name} is no variable of the flow`);
    else if (variable.sensitive === true)
      report.node(node, 'sensitive_use', 'pass', `node ${node.id} passes ${name} on, which is sensitive`);
  }
}

/** Faults of what the model of a talk may use: its tools, its knowledge bases, and its voice. */
export function checkTalk(
  node: TalkNode,
  { tools, knowledge, hasServers, voices, languages }: KnownAgent,
  report: Report,
): void {
  if (node.voice !== undefined) {
    const voice = voices.find(({ id }) => id === node.voice?.toLowerCase());
    const [first = ''] = languages;
    if (voice === undefined)
      report.node(
        node,
        'unknown_voice',
        'voice',
        `node ${node.id}: ${node.voice} is no voice of this service`,
      );
    else if (!voice.languages.includes(first))
      report.node(
        node,
        'wrong_language',
        'voice',
        `node ${node.id}: the voice ${voice.name} does not speak ${first}`,
      );
  }
  for (const [at, name] of (node.tools ?? []).entries()) {
    if (hasServers || tools.some((tool) => tool.name === name)) continue;
    report.node(node, 'unknown_tool', `tools[${at}]`, `node ${node.id}: the agent has no tool ${name}`);
  }
  for (const [at, id] of (node.knowledge ?? []).entries()) {
    if (knowledge.includes(id.toLowerCase())) continue;
    report.node(
      node,
      'unknown_knowledge',
      `knowledge[${at}]`,
      `node ${node.id}: ${id} is no knowledge base of the agent`,
    );
  }
}

/** Faults of a node that runs a tool: its name, its kind, and its arguments. `expression` checks one argument. */
export function checkTool(
  node: ToolNode | TransferNode,
  agent: KnownAgent,
  own: ReadonlyMap<string, FlowVariable>,
  expression: (field: string, source: string, wanted: ExpressionType | null) => void,
  report: Report,
): void {
  const given = node.type === 'tool' ? (node.arguments ?? {}) : {};
  const tool = agent.tools.find(({ name }) => name === node.tool);
  const isOfServer = tool === undefined && agent.hasServers && node.type === 'tool';
  if (tool === undefined && !isOfServer)
    return report.node(node, 'unknown_tool', 'tool', `node ${node.id}: the agent has no tool ${node.tool}`);
  const wanted = node.type === 'tool' ? 'request' : 'transfer';
  if (tool !== undefined && tool.kind !== wanted) {
    const needs = wanted === 'request' ? 'a tool that sends a request' : 'a transfer tool';
    return report.node(
      node,
      'wrong_tool',
      'tool',
      `node ${node.id} needs ${needs}, and ${node.tool} is none`,
    );
  }
  const known = new Map(tool?.arguments.map((argument) => [argument.name, argument]));
  for (const [name, source] of Object.entries(given)) {
    const argument = known.get(name);
    if (tool !== undefined && argument === undefined)
      report.node(
        node,
        'unknown_argument',
        `arguments.${name}`,
        `node ${node.id}: ${node.tool} has no argument ${name}`,
      );
    else expression(`arguments.${name}`, source, argument?.type ?? null);
    const secret = own.get(source.trim());
    if (secret?.sensitive === true && argument?.isSensitive !== true)
      report.node(
        node,
        'sensitive_use',
        `arguments.${name}`,
        `node ${node.id}: ${secret.name} is sensitive, and the argument ${name} of ${node.tool} is not`,
      );
  }
  for (const { name, isRequired } of known.values()) {
    if (isRequired && !Object.hasOwn(given, name) && !own.has(name) && !agent.variables.includes(name))
      report.node(
        node,
        'missing_argument',
        'arguments',
        `node ${node.id}: ${node.tool} needs the argument ${name}`,
      );
  }
}
