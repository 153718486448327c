/** Every kind of fault that the check of a flow finds. */
export const FAULT_CODES = [
  // The document.
  'not_a_flow',
  'too_large',
  'too_many_nodes',
  'too_many_edges',
  'bad_field',
  'unknown_kind',
  'duplicate_node',
  'duplicate_variable',
  'reserved_name',
  // Ways through the graph.
  'missing_start',
  'missing_stuck',
  'missing_target',
  'unreachable_node',
  'dead_end',
  'no_end',
  'silent_cycle',
  'endless_speech',
  // Edges.
  'mixed_condition',
  'wrong_event',
  'wrong_answer',
  'unused_edge',
  'no_default',
  'edge_after_end',
  // Expressions, variables and texts.
  'bad_expression',
  'unknown_variable',
  'wrong_type',
  'wrong_value',
  'missing_values',
  'wrong_variable',
  'duplicate_answer',
  'sensitive_use',
  // Tools and other agents.
  'unknown_tool',
  'wrong_tool',
  'unknown_argument',
  'missing_argument',
  'unknown_agent',
  'unknown_knowledge',
  'unknown_voice',
  'wrong_language',
] as const;
export type FaultCode = (typeof FAULT_CODES)[number];

/** What is wrong with a flow. `node` and `edge` (its place in the node's list) are null where none is at fault. */
export interface Fault {
  readonly code: FaultCode;
  readonly node: string | null;
  readonly edge: number | null;
  /** The path of the field: `nodes[2].edges[0].if`. */
  readonly field: string;
  readonly message: string;
}

/** Where a node stands in its document: `nodes[2]`. */
export type Places = ReadonlyMap<object, string>;

/** Names a place of the flow in faults. */
export class Report {
  readonly faults: Fault[] = [];
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Of the document, or a variable: `field` is its path. */
  add(code: FaultCode, field: string, message: string): void {
    this.faults.push({ code, node: null, edge: null, field, message });
  }

  /** Of a node, or of its edge at `edge`; `field` is the path below either. */
  node(
    node: { id: string },
    code: FaultCode,
    field: string,
    message: string,
    edge: number | null = null,
  ): void {
    const place = [this.#places.get(node) ?? 'nodes', ...(edge === null ? [] : [`edges[${edge}]`])];
    const path = [...place, ...(field === '' ? [] : [field])].join('.');
    this.faults.push({ code, node: node.id, edge, field: path, message });
  }
}
