import {
  edgesOf,
  leavesFlow,
  nodesOf,
  tasksOf,
  waitsForCaller,
  type Flow,
  type FlowEdge,
  type FlowNode,
} from '../document.ts';
import { isTaskAlone } from '../engine/tasks.ts';
import type { Report } from '../fault.ts';

/** The nodes of a flow and their neighbours; of nodes with one name the first counts. */
class Graph {
  readonly nodes: readonly FlowNode[];
  readonly #byId = new Map<string, FlowNode>();

  constructor(flow: Flow) {
    this.nodes = nodesOf(flow);
    for (const node of this.nodes) if (!this.#byId.has(node.id)) this.#byId.set(node.id, node);
  }

  get(id: string): FlowNode | undefined {
    return this.#byId.get(id);
  }

  next(node: FlowNode, follows: (edge: FlowEdge) => boolean = () => true): FlowNode[] {
    const targets = edgesOf(node)
      .filter(follows)
      .map(({ to }) => to);
    return [...targets, ...tasksOf(node)].flatMap((to) => this.#byId.get(to) ?? []);
  }

  /** All that can be reached from some nodes, those included. */
  reach(from: readonly FlowNode[]): Set<FlowNode> {
    const found = new Set(from);
    for (const node of found) for (const next of this.next(node)) found.add(next);
    return found;
  }
}

/** Faults of the ways through a flow: targets that are missing, nodes that no way leads to or out of, and circles. */
export function checkGraph(flow: Flow, report: Report): void {
  const graph = new Graph(flow);
  const global = new Set<FlowNode>(flow.global);
  const start = graph.get(flow.start);
  if (start === undefined || global.has(start))
    report.add('missing_start', 'start', `start names ${flow.start}, which is no node of nodes`);
  const stuck = flow.stuck === undefined ? undefined : graph.get(flow.stuck);
  if (flow.stuck !== undefined && (stuck === undefined || global.has(stuck)))
    report.add('missing_stuck', 'stuck', `stuck names ${flow.stuck}, which is no node of nodes`);
  for (const node of graph.nodes) {
    const forgotten = node.type === 'talk' || node.type === 'handoff' ? (node.forget ?? []) : [];
    const unknown = forgotten.find((id) => graph.get(id) === undefined);
    if (unknown !== undefined)
      report.node(node, 'missing_target', 'forget', `node ${node.id} forgets ${unknown}, which is no node`);
    for (const [at, id] of tasksOf(node).entries()) {
      const task = graph.get(id);
      const isCollect = task?.type === 'collect' && !global.has(task);
      if (!isCollect)
        report.node(
          node,
          task === undefined ? 'missing_target' : 'bad_field',
          `tasks[${at}]`,
          `node ${node.id} has the task ${id}, which is no collect node of nodes`,
        );
    }
    for (const [at, { to }] of edgesOf(node).entries()) {
      const target = graph.get(to);
      if (target === undefined)
        report.node(
          node,
          'missing_target',
          'to',
          `node ${node.id} has an edge to ${to}, which is no node`,
          at,
        );
    }
  }
  if (start === undefined || report.faults.length > 0) return;
  const reached = graph.reach([start, ...(stuck === undefined ? [] : [stuck]), ...global]);
  for (const node of graph.nodes) {
    if (!reached.has(node))
      report.node(node, 'unreachable_node', '', `no edge leads from the start to node ${node.id}`);
  }
  checkEnds(flow, graph, reached, report);
  checkCircles(graph, reached, report);
}

/** A node at which the conversation may leave the flow (the model of a talk may end it), or return to where a global node began. */
const isExit = (node: FlowNode): boolean =>
  node.type === 'end' || leavesFlow(node) || node.type === 'talk' || ('back' in node && node.back);

function checkEnds(flow: Flow, graph: Graph, reached: ReadonlySet<FlowNode>, report: Report): void {
  const ending = new Set([...reached].filter((node) => isExit(node) || isTaskAlone(graph.nodes, node)));
  for (let before = -1; before !== ending.size;) {
    before = ending.size;
    for (const node of reached) if (graph.next(node).some((next) => ending.has(next))) ending.add(node);
  }
  for (const node of reached) {
    if (ending.has(node)) continue;
    if (edgesOf(node).length === 0)
      report.node(
        node,
        'dead_end',
        'edges',
        `node ${node.id} has no edge, and only end, transfer and handoff nodes end a flow`,
      );
    else report.node(node, 'no_end', 'edges', `no way leads from node ${node.id} to an end or a transfer`);
  }
  if (![...reached].some((node) => node.type === 'end' || leavesFlow(node) || node.type === 'talk'))
    report.add('no_end', 'nodes', `no way leads from ${flow.start} to an end or a transfer`);
}

/** Circles in which the caller never has the floor: without a word, or with the agent talking on and on. */
function checkCircles(graph: Graph, reached: ReadonlySet<FlowNode>, report: Report): void {
  const isSilent = (node: FlowNode): boolean => node.type === 'set' || node.type === 'tool';
  const silent = (edge: FlowEdge): boolean => edge.say === undefined;
  for (const node of circled(graph, [...reached].filter(isSilent), silent))
    report.node(
      node,
      'silent_cycle',
      'edges',
      `node ${node.id} is in a circle of edges without a word of the agent or the caller`,
    );
  const spoken = circled(
    graph,
    [...reached].filter((node) => !waitsForCaller(node)),
  );
  const already = new Set(report.faults.map(({ node }) => node));
  for (const node of spoken) {
    if (!already.has(node.id))
      report.node(
        node,
        'endless_speech',
        'edges',
        `node ${node.id} is in a circle of edges in which the caller never answers`,
      );
  }
}

/** The nodes among `some` that lead back to themselves through `some`, by edges that `follows` takes. */
function circled(graph: Graph, some: readonly FlowNode[], follows?: (edge: FlowEdge) => boolean): FlowNode[] {
  const inside = new Set(some);
  return some.filter((node) => {
    const found = new Set<FlowNode>();
    const open = [node];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const next of graph.next(at, follows)) {
        if (next === node) return true;
        if (!inside.has(next) || found.has(next)) continue;
        found.add(next);
        open.push(next);
      }
    }
    return false;
  });
}
