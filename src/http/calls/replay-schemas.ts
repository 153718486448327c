import { Type } from 'typebox';
import { FLOW_STEP } from '../common/flow-step.ts';
import { LookupId, nullable, oneOf, Uuid } from '../common/schemas.ts';

export const ReplayQuery = Type.Object({
  id: LookupId,
  send_log: Type.Optional(
    Type.Boolean({ description: 'Adds the event log, as JSON lines, for callwright replay.' }),
  ),
});

const Seconds = Type.Number({
  description: 'Since the first event, the answer of the call.',
  example: 12.34,
});
const Effects = (whose: string) =>
  Type.Array(Type.String(), {
    description: `What ${whose} decided: the effects in order, such as stop_speaking or generate.`,
  });

export const CallReplay = Type.Object({
  status: Type.String({ example: 'success' }),
  data: Type.Object({
    call_id: Uuid,
    events: Type.Integer({ description: 'Events of the log.', example: 412 }),
    cut_after_seconds: nullable(
      Type.Number({
        description: 'The log reached its limit and has no events after this time; null: it is whole.',
      }),
    ),
    decides_the_same: Type.Boolean({ description: 'Every decision of the replay is that of the call.' }),
    first_difference: nullable(
      Type.Object(
        {
          seconds: Seconds,
          event: Type.String({ example: 'final' }),
          call: Effects('the call'),
          replay: Effects('the replay'),
        },
        { description: 'Equal lists differ in what the effects say. Null: there is no difference.' },
      ),
    ),
    time_line: Type.Array(
      Type.Object({
        seconds: Seconds,
        source: oneOf(['caller', 'agent', 'model', 'tool', 'call']),
        text: Type.String({ example: 'is understood: "yes, Tuesday"' }),
      }),
    ),
    flow_steps: Type.Array(Type.Object({ seconds: Seconds, ...FLOW_STEP }), {
      description: 'How the flow of the agent moved (docs/flows.md), and those of agents after a handover.',
    }),
    log: Type.Optional(Type.String({ description: 'Only with send_log.' })),
  }),
});
