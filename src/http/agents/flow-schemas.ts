import { Type, type TObject } from 'typebox';
import { FAULT_CODES } from '../../voice/flow/fault.ts';
import { WARNING_CODES } from '../../voice/flow/check/check-flow.ts';
import { FLOW_LIMITS, FlowVariable, GLOBAL_FIELDS, Name, NODE_SCHEMAS } from '../../voice/flow/document.ts';
import { Handoff, MOST_HANDOFFS } from '../../voice/flow/handoffs.ts';
import { FLOW_STEP } from '../common/flow-step.ts';
import { LookupId, nullable, oneOf, Uuid } from '../common/schemas.ts';

/** The document as the reference shows it; the check reads it itself, so that its faults name nodes. */
const shapes: readonly TObject[] = Object.values(NODE_SCHEMAS);
const EXAMPLE = {
  start: 'suits',
  nodes: [
    {
      id: 'suits',
      type: 'choose',
      ask: 'Does Tuesday at ten still suit you?',
      answers: [{ name: 'yes' }, { name: 'no' }],
      edges: [{ to: 'kept', answer: 'yes' }, { to: 'freed' }, { to: 'freed', on: 'failed' }],
    },
    { id: 'kept', type: 'end', say: 'See you on Tuesday. Goodbye.' },
    { id: 'freed', type: 'end', say: 'We will call you for another day. Goodbye.' },
  ],
};
const FlowDocumented = Type.Object(
  {
    start: Type.Unsafe<string>({
      ...Name,
      description: 'The node at which a conversation begins.',
      example: 'reason',
    }),
    variables: Type.Optional(Type.Array(FlowVariable, { maxItems: FLOW_LIMITS.variables })),
    nodes: Type.Array(Type.Unsafe<object>({ oneOf: shapes }), { minItems: 1, maxItems: FLOW_LIMITS.nodes }),
    global: Type.Optional(
      Type.Array(
        Type.Unsafe<object>({
          allOf: [
            { oneOf: shapes.map((shape) => ({ ...shape, additionalProperties: true })) },
            Type.Object(GLOBAL_FIELDS),
          ],
        }),
        { description: 'Nodes that callers reach from every question.' },
      ),
    ),
    stuck: Type.Optional(
      Type.Unsafe<string>({
        ...Name,
        description:
          'Where a conversation goes on for which a node has no edge. Absent: the agent says that it has a problem, and ends it.',
      }),
    ),
  },
  { description: 'See docs/flows.md.', example: EXAMPLE },
);

/** Of `edit_flow`. The operation checks the document, so that its faults name nodes. */
export const FlowFields = Type.Object({
  flow: Type.Unknown({
    example: EXAMPLE,
    description:
      'The flow that conversations follow (docs/flows.md); null: the prompt leads again. POST /agent/{agent_id}/flow/check shows its document and what would be refused.',
  }),
});

/** Of `edit_handoffs`. */
export const HandoffFields = Type.Object({
  handoffs: Type.Array(Handoff, {
    maxItems: MOST_HANDOFFS,
    description:
      'The agents that the model may hand a conversation over to while the prompt leads (docs/flows.md); replaces the list. A flow has handoff nodes instead.',
  }),
});

export const CheckFlowBody = Type.Object({
  flow: Type.Unknown({ description: 'The document.' }),
  version_id: Type.Optional(LookupId),
});
export const CheckFlowBodyDocumented = Type.Object({
  flow: FlowDocumented,
  version_id: Type.Optional(
    Type.Unsafe<string>({
      ...LookupId,
      description:
        'The version whose tools and variables count. Default: the one that PATCH /agent/v1 would change.',
    }),
  ),
});

const Where = { node: nullable(Type.String()), message: Type.String() };
export const CheckedFlowAnswer = Type.Object({
  valid: Type.Boolean({ description: 'False: the flow would be refused.' }),
  errors: Type.Array(
    Type.Object({
      code: oneOf(FAULT_CODES),
      field: Type.String({ example: 'nodes[2].edges[0].if' }),
      edge: nullable(Type.Integer({ description: "The edge's place in the node's list, from 0." })),
      ...Where,
    }),
    { description: 'At most 100.' },
  ),
  warnings: Type.Array(Type.Object({ code: oneOf(WARNING_CODES), ...Where }), {
    description: 'What works, and may not be what the author expects.',
  }),
});

export const FlowCountsQuery = Type.Object({
  version_id: Type.Optional(LookupId),
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, default: 30, description: 'Calls of so many days.' }),
  ),
});
const Count = Type.Integer({ description: 'How often calls went there.' });
export const FlowCountsAnswer = Type.Object({
  version_id: Uuid,
  calls: Type.Integer({ description: 'Calls that were counted: the newest 500 whose event log is kept.' }),
  edges: Type.Array(Type.Object({ ...FLOW_STEP, count: Count }), {
    description: 'The most taken one first.',
  }),
  ends: Type.Array(Type.Object({ node: Type.String(), count: Count }), {
    description: 'The nodes at which calls ended.',
  }),
});
