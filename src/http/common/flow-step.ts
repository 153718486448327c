import { Type } from 'typebox';

/** A move of a flow. */
export const FLOW_STEP = {
  from: Type.String({ description: 'The node that the conversation left.', example: 'reason' }),
  to: Type.String({ example: 'today' }),
  by: Type.String({
    description: 'Why: the condition of the edge, default, global, task, back or stuck.',
    example: "reason == 'pain'",
  }),
  alike: Type.Optional(
    Type.Number({
      description:
        "How alike the meanings of the caller's words and of `by` were, at most 1; absent: no model of meanings decided.",
    }),
  ),
} as const;
export const FlowStep = Type.Object(FLOW_STEP);
