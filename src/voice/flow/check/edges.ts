import {
  edgesOf,
  EVENTS_OF,
  leavesFlow,
  nodesOf,
  type Flow,
  type FlowEdge,
  type FlowNode,
} from '../document.ts';
import { isTaskAlone } from '../engine/tasks.ts';
import type { Report } from '../fault.ts';

/** Faults of edges: conditions that their node never meets, edges that are never taken, and outcomes without an edge. */
export function checkEdges(flow: Flow, report: Report): void {
  for (const node of nodesOf(flow)) {
    if (node.type === 'end') {
      if (edgesOf(node).length > 0)
        report.node(
          node,
          'edge_after_end',
          'edges',
          `node ${node.id} ends the conversation, so it has no edges`,
        );
      continue;
    }
    checkConditions(flow, node, report);
    checkOrder(node, report);
    if (edgesOf(node).length > 0 && !isTaskAlone(nodesOf(flow), node)) checkDefault(node, report);
    if (node.type === 'handoff' && node.back === true && !isGlobal(flow, node)) checkBack(node, report);
  }
}

function checkConditions(flow: Flow, node: FlowNode, report: Report): void {
  for (const [at, edge] of edgesOf(node).entries()) {
    const named = (['if', 'on', 'answer', 'when'] as const).filter((key) => edge[key] !== undefined);
    if (named.length > 1)
      report.node(
        node,
        'mixed_condition',
        named[1]!,
        `node ${node.id}: an edge has one condition, and this one has ${named.join(' and ')}`,
        at,
      );
    const events = EVENTS_OF[node.type];
    if (edge.on !== undefined && !events.includes(edge.on)) {
      const list = events.length === 0 ? 'has no events' : `has the events ${events.join(', ')}`;
      report.node(
        node,
        'wrong_event',
        'on',
        `node ${node.id}: a ${node.type} node ${list}, not ${edge.on}`,
        at,
      );
    }
    if (edge.when !== undefined && node.type !== 'talk')
      report.node(
        node,
        'wrong_event',
        'when',
        `node ${node.id}: only a talk node has a model that judges when`,
        at,
      );
    if (edge.examples !== undefined && edge.when === undefined)
      report.node(node, 'bad_field', 'examples', `node ${node.id}: examples belong to an edge with when`, at);
    checkReads(flow, node, edge, at, report);
    if (edge.answer !== undefined && !answersOf(node).includes(edge.answer))
      report.node(
        node,
        'wrong_answer',
        'answer',
        `node ${node.id} has no answer ${JSON.stringify(edge.answer)}`,
        at,
      );
    if (leavesFlow(node) && edge.on === undefined)
      report.node(
        node,
        'edge_after_end',
        'on',
        `node ${node.id}: a ${node.type} leaves the flow, so its edges need on: failed`,
        at,
      );
    if (edge.on === 'back' && node.type === 'handoff' && node.back !== true)
      report.node(
        node,
        'unused_edge',
        'on',
        `node ${node.id}: the conversation does not come back, since the handoff has no back`,
        at,
      );
  }
}

/** What an edge leaves a model to read: it leads to a model, and forgets nodes of the flow. */
function checkReads(flow: Flow, node: FlowNode, edge: FlowEdge, at: number, report: Report): void {
  const named = (['context', 'forget'] as const).find((key) => edge[key] !== undefined);
  const nodes = nodesOf(flow);
  const target = nodes.find(({ id }) => id === edge.to);
  if (named !== undefined && target !== undefined && target.type !== 'talk')
    report.node(
      node,
      'bad_field',
      named,
      `node ${node.id}: ${named} belongs to an edge to a talk node, and ${edge.to} is none`,
      at,
    );
  const unknown = edge.forget?.find((name) => !nodes.some(({ id }) => id === name));
  if (unknown !== undefined)
    report.node(
      node,
      'missing_target',
      'forget',
      `node ${node.id}: an edge forgets ${unknown}, which is no node`,
      at,
    );
}

const answersOf = (node: FlowNode): string[] =>
  node.type === 'choose' ? node.answers.map(({ name }) => name) : [];

/** What an edge answers to: edges of one group are tried in order. */
const groupOf = ({ on }: FlowEdge): string => (on === undefined || on === 'ok' ? 'done' : on);
const isFree = ({ if: condition, on, answer, when }: FlowEdge): boolean =>
  condition === undefined && answer === undefined && when === undefined && on !== 'ok';

/** Edges behind one that always fits. */
function checkOrder(node: FlowNode, report: Report): void {
  const closed = new Set<string>();
  const seen = new Set<string>();
  for (const [at, edge] of edgesOf(node).entries()) {
    const group = groupOf(edge);
    const condition = `${edge.on ?? ''} ${edge.answer ?? ''} ${edge.if ?? ''} ${edge.when ?? ''}`;
    if (closed.has(group) || seen.has(condition))
      report.node(
        node,
        'unused_edge',
        'to',
        `node ${node.id}: an edge before this one is always taken in its place`,
        at,
      );
    if (isFree(edge)) closed.add(group);
    seen.add(condition);
  }
}

const isGlobal = (flow: Flow, node: FlowNode): boolean => (flow.global ?? []).some((each) => each === node);

/** A handoff that comes back goes on from there. */
function checkBack(node: FlowNode, report: Report): void {
  if (edgesOf(node).some(({ on }) => on === 'back')) return;
  report.node(
    node,
    'no_default',
    'edges',
    `node ${node.id} needs an edge on back, since its handoff comes back`,
  );
}

/** A node that was passed well must have an edge for every case. */
function checkDefault(node: FlowNode, report: Report): void {
  if (leavesFlow(node) || node.type === 'talk' || ('back' in node && node.back)) return;
  const done = edgesOf(node).filter((edge) => groupOf(edge) === 'done');
  if (done.some((edge) => isFree(edge) || edge.on === 'ok')) return;
  const named = new Set(done.map(({ answer }) => answer));
  const answers = answersOf(node);
  const missing = answers.filter((answer) => !named.has(answer));
  if (answers.length > 0 && missing.length === 0) return;
  const lacks =
    answers.length === 0
      ? 'an edge without a condition'
      : `an edge for ${missing.map((name) => JSON.stringify(name)).join(', ')}, or one without a condition`;
  report.node(node, 'no_default', 'edges', `node ${node.id} needs ${lacks}`);
}
