import { edgesOf, leavesFlow, nodesOf, type Flow, type FlowNode } from '../document.ts';
import { Report, type Fault } from '../fault.ts';
import { isTaskAlone } from '../engine/tasks.ts';
import { readFlow } from '../read-flow.ts';
import { checkEdges } from './edges.ts';
import { checkGraph } from './graph.ts';
import type { KnownAgent } from './tools.ts';
import { checkUses } from './uses.ts';
import { checkVariables } from './variables.ts';

export const WARNING_CODES = ['no_failed_edge', 'unchecked_tool', 'needs_model', 'many_whens'] as const;
/** A way of the flow that works, and not as its author may expect. */
export interface FlowWarning {
  readonly code: (typeof WARNING_CODES)[number];
  readonly node: string;
  readonly message: string;
}

export interface CheckedFlow {
  /** Null: the flow is refused for its faults. */
  readonly flow: Flow | null;
  readonly faults: readonly Fault[];
  readonly warnings: readonly FlowWarning[];
}

/** Faults of one document that are reported. */
const MOST_FAULTS = 100;

/** Checks a document as the flow of an agent. Pure, and total for any value. */
export function checkFlow(document: unknown, agent: KnownAgent): CheckedFlow {
  const read = readFlow(document);
  if (read.flow === null) return { flow: null, faults: read.faults.slice(0, MOST_FAULTS), warnings: [] };
  const { flow, places } = read;
  const report = new Report(places);
  checkGraph(flow, report);
  checkEdges(flow, report);
  checkVariables(flow, report);
  checkUses(flow, agent, report);
  const faults = report.faults.slice(0, MOST_FAULTS);
  return { flow: faults.length === 0 ? flow : null, faults, warnings: warningsOf(flow, agent) };
}

/** More sentences than a model tells apart well. */
const MOST_WHENS = 8;

function warningsOf(flow: Flow, agent: KnownAgent): FlowWarning[] {
  const named = new Set(agent.tools.map(({ name }) => name));
  return nodesOf(flow).flatMap((node): FlowWarning[] => [
    ...talkWarnings(node, agent),
    ...(mayFail(node, flow) && flow.stuck === undefined && !edgesOf(node).some(({ on }) => on === 'failed')
      ? [
          {
            code: 'no_failed_edge',
            node: node.id,
            message: `node ${node.id} has no edge on failed and the flow no stuck: then the agent says that it has a problem, and ends the conversation`,
          } as const,
        ]
      : []),
    ...toolsOf(node)
      .filter((tool) => agent.hasServers && !named.has(tool))
      .map(
        (tool) =>
          ({
            code: 'unchecked_tool',
            node: node.id,
            message: `node ${node.id}: whether an MCP server has the tool ${tool} shows at the start of a call`,
          }) as const,
      ),
  ]);
}

/** Tools that an MCP server of the agent may have. */
const toolsOf = (node: FlowNode): readonly string[] =>
  node.type === 'tool' ? [node.tool] : node.type === 'talk' ? (node.tools ?? []) : [];

function talkWarnings(node: FlowNode, { judgesMeaning = false }: KnownAgent): FlowWarning[] {
  if (node.type !== 'talk') return [];
  const whens = edgesOf(node).filter(({ when }) => when !== undefined);
  const lacks = judgesMeaning ? [] : whens.filter(({ examples = [] }) => examples.length === 0);
  const warning = (code: FlowWarning['code'], message: string): FlowWarning => ({
    code,
    node: node.id,
    message,
  });
  return [
    ...(lacks.length > 0
      ? [
          warning(
            'needs_model',
            `node ${node.id}: without a model the edge to ${lacks[0]!.to} is never taken, since it has no examples`,
          ),
        ]
      : []),
    ...(whens.length > MOST_WHENS
      ? [
          warning(
            'many_whens',
            `node ${node.id} has ${whens.length} edges that a model judges; more than ${MOST_WHENS} are often confused`,
          ),
        ]
      : []),
  ];
}

/** Whether the node may fail where the caller cannot go on. After a task, and a global node with `back`, what was before it goes on. */
const mayFail = (node: FlowNode, { nodes, global = [] }: Flow): boolean => {
  const comesBack = 'back' in node && node.back && global.some((each) => each === node);
  return !comesBack && !isTaskAlone(nodes, node) && (CAN_FAIL.has(node.type) || leavesFlow(node));
};
const CAN_FAIL: ReadonlySet<FlowNode['type']> = new Set(['collect', 'choose', 'tool']);
