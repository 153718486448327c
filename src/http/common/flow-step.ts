import { Type } from 'typebox';

/** A move of a flow. */
export const FLOW_STEP = {
  from: Type.String({ description: 'The node that the conversation left.', example: 'reason' }),
  to: Type.String({ example: 'today' }),
  by: Type.String({
    description: 'Why: the condition of the edge, default, global, back or stuck.',
    example: "reason == 'pain'",
  }),
} as const;
export const FlowStep = Type.Object(FLOW_STEP);
