import { Ajv, type ValidateFunction } from 'ajv';
import { Type } from 'typebox';
import { once } from '../../shared/once.ts';
import { schemaProblems } from '../../shared/schema-problems.ts';
import {
  FLOW_LIMITS,
  FlowVariable,
  GLOBAL_FIELDS,
  Name,
  NODE_KINDS,
  NODE_SCHEMAS,
  nodesOf,
  type Flow,
  type NodeKind,
} from './document.ts';
import { Report, type Fault, type Places } from './fault.ts';

/** A document that may be read as a flow, with where its nodes stand; or the faults of its form. */
export type ReadFlow =
  | { readonly flow: Flow; readonly places: Places }
  | { readonly flow: null; readonly faults: readonly Fault[] };

const FlowFrame = Type.Object(
  {
    start: Name,
    stuck: Type.Optional(Name),
    variables: Type.Optional(Type.Array(FlowVariable, { maxItems: FLOW_LIMITS.variables })),
    nodes: Type.Array(Type.Object({}), { minItems: 1 }),
    global: Type.Optional(Type.Array(Type.Object({}))),
  },
  { additionalProperties: false },
);

const validators = once(() => {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false });
  for (const keyword of ['x-rule', 'example']) ajv.addKeyword(keyword);
  const kinds = (isGlobal: boolean): [NodeKind, ValidateFunction][] =>
    NODE_KINDS.map((kind) => {
      const schema = NODE_SCHEMAS[kind];
      const fields = isGlobal ? Type.Object({ ...schema.properties, ...GLOBAL_FIELDS }, CLOSED) : schema;
      return [kind, ajv.compile(fields)];
    });
  return { frame: ajv.compile(FlowFrame), node: new Map(kinds(false)), global: new Map(kinds(true)) };
});
const CLOSED = { additionalProperties: false };

/** Reads a document without trust: its size, its fields and the kinds of its nodes. */
export function readFlow(document: unknown): ReadFlow {
  const report = new Report(new Map());
  const bytes = sizeOf(document);
  if (typeof document !== 'object' || document === null || Array.isArray(document) || bytes === null) {
    report.add('not_a_flow', 'flow', 'a flow is an object with start and nodes');
    return { flow: null, faults: report.faults };
  }
  if (bytes > FLOW_LIMITS.bytes) {
    report.add(
      'too_large',
      'flow',
      `a flow has at most 64 kB, and this one has ${Math.ceil(bytes / 1024)} kB`,
    );
    return { flow: null, faults: report.faults };
  }
  const { frame } = validators();
  if (!frame(document)) {
    for (const { field, message } of schemaProblems(frame.errors ?? [], 'flow'))
      report.add('bad_field', field, `${field} ${message}`);
    return { flow: null, faults: report.faults };
  }
  const places = new Map<object, string>();
  const { nodes, global = [] } = document as Flow;
  for (const [index, node] of nodes.entries()) places.set(node, `nodes[${index}]`);
  for (const [index, node] of global.entries()) places.set(node, `global[${index}]`);
  const faults = [...places].flatMap(([node, place]) => formFaults(node, place));
  if (faults.length > 0) return { flow: null, faults };
  const flow = document as Flow;
  countFaults(flow, report);
  return report.faults.length > 0 ? { flow: null, faults: report.faults } : { flow, places };
}

/** Bytes of the document as JSON; null for what is none. */
function sizeOf(document: unknown): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(document) ?? '');
  } catch {
    return null;
  }
}

/** Faults of one node's fields. */
function formFaults(node: object, place: string): Fault[] {
  const { id, type } = node as { id?: unknown; type?: unknown };
  const name = typeof id === 'string' ? id.slice(0, 40) : null;
  const called = name === null ? place : `node ${name}`;
  const fault = (code: Fault['code'], field: string, message: string): Fault => {
    const edge = /^edges\[(\d+)\]/.exec(field)?.[1];
    return {
      code,
      node: name,
      edge: edge === undefined ? null : Number(edge),
      field: `${place}.${field}`,
      message,
    };
  };
  const { node: plain, global } = validators();
  const validate = (place.startsWith('global') ? global : plain).get(type as NodeKind);
  if (validate === undefined) {
    const kinds = `must be one of ${NODE_KINDS.join(', ')}`;
    return [fault('unknown_kind', 'type', `${called}: type ${kinds}`)];
  }
  if (validate(node)) return [];
  return schemaProblems(validate.errors ?? [], 'node').map(({ field, message }) =>
    fault('bad_field', field, `${called}: ${field} ${message}`),
  );
}

function countFaults(flow: Flow, report: Report): void {
  const nodes = nodesOf(flow);
  const edges = nodes.reduce((sum, node) => sum + (node.edges?.length ?? 0), 0);
  if (nodes.length > FLOW_LIMITS.nodes)
    report.add(
      'too_many_nodes',
      'nodes',
      `a flow has at most ${FLOW_LIMITS.nodes} nodes, and this one has ${nodes.length}`,
    );
  if (edges > FLOW_LIMITS.edges)
    report.add(
      'too_many_edges',
      'nodes',
      `a flow has at most ${FLOW_LIMITS.edges} edges, and this one has ${edges}`,
    );
}
