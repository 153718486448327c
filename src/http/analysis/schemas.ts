import { Type } from 'typebox';
import { IsoTime, nullable, oneOf } from '../common/schemas.ts';

const more = Type.Optional;

/** The service's analysis of every conversation, once it has run. */
export const PlatformAnalysis = Type.Object(
  {
    summary: more(nullable(Type.String())),
    classification: more(
      nullable(
        Type.String({
          description:
            "One of the agent's classification_labels, or of the service's labels if the agent has none.",
          example: 'interested',
        }),
      ),
    ),
    key_points: more(Type.Array(Type.String())),
    action_items: more(Type.Array(Type.String())),
    sentiment: more(nullable(oneOf(['positive', 'neutral', 'negative']))),
    callback_requested: more(Type.Boolean()),
    callback_requested_time: more(nullable(IsoTime)),
    callback_requested_words: more(
      nullable(Type.String({ description: 'The time as the person phrased it, where they named one.' })),
    ),
    call_disconnect_reason: more(Type.String({ example: 'AGENT_ENDED' })),
    timezone: more(
      Type.String({
        description: 'The zone in which days and hours were interpreted.',
        example: 'Asia/Kolkata',
      }),
    ),
    status: more(
      oneOf(['analyzed', 'failed'], { description: 'failed: every attempt at the analysis failed.' }),
    ),
    analyzed_by: more(
      Type.String({
        description: 'offline-rules, or the name of the model.',
        example: 'offline-rules',
      }),
    ),
  },
  { additionalProperties: true, description: 'Absent until the analysis has run.' },
);

/** The values of the agent's own keys. */
export const ClientAnalysisValues = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  description:
    'One value per key of edit_client_analysis, of its type: from the call, else its default, else null.',
});

/** How the conversation met each criterion of the agent. */
export const Evaluations = Type.Array(
  Type.Object({
    name: Type.String({ example: 'confirmed_the_day' }),
    result: oneOf(['passed', 'failed', 'not_judged']),
    reason: Type.String({ example: 'The agent said: Then on Tuesday at ten. Goodbye!' }),
  }),
  {
    description:
      'One for each criterion of edit_evaluations, in order. not_judged: the call does not show it, or no language model is configured and rules cannot judge it.',
  },
);
