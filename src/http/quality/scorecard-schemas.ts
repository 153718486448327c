import { Type, type TSchema } from 'typebox';
import type { ScoreCriterion, ScoreVerdict } from '../../store/json/scorecard.ts';
import { IsoTime, nullable, oneOf } from '../common/schemas.ts';
import { Detector } from './schemas.ts';

const strict = { additionalProperties: false };
const base = {
  name: Type.String({ minLength: 1, maxLength: 80, example: 'No dead air' }),
  points: Type.Integer({ minimum: 1, maximum: 100, example: 10 }),
};
const Phrases = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 20 });
const Seconds = Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, description: 'Seconds.' }));

const criterion = <const T extends string>(rule: T, fields: Record<string, TSchema>) =>
  Type.Object({ ...base, rule: oneOf([rule]), ...fields }, strict);

/** Discriminated by `rule`: errors refer to the named shape. */
const Criterion = Type.Unsafe<ScoreCriterion>({
  type: 'object',
  required: ['rule'],
  properties: { rule: { type: 'string' } },
  discriminator: { propertyName: 'rule' },
  oneOf: [
    criterion('no_finding', { detector: Detector }),
    criterion('result_is', { of: Phrases }),
    criterion('captured', { key: Type.String({ minLength: 1, maxLength: 100 }) }),
    criterion('duration', { min: Seconds, max: Seconds }),
    criterion('agent_says', { of: Phrases }),
    criterion('agent_never_says', { of: Phrases }),
    criterion('criterion_met', {
      criterion: Type.String({
        minLength: 1,
        maxLength: 80,
        description: "The name of one of the agent's evaluations, judged by the model if there is one.",
      }),
    }),
  ],
});
const Criteria = Type.Array(Criterion, { maxItems: 30 });
const Percent = Type.Integer({
  minimum: 0,
  maximum: 100,
  description: 'The share of checked calls that is scored.',
});
const WithFindings = Type.Boolean({
  description: 'Calls in which a detector found something are scored in any case.',
});

export const ScorecardBody = Type.Object(
  {
    criteria: { ...Criteria, description: 'Empty: calls are no longer scored.' },
    percent: Type.Optional({ ...Percent, default: 100 }),
    with_findings: Type.Optional({ ...WithFindings, default: true }),
  },
  strict,
);
export const ScorecardAnswer = Type.Object({
  scorecard: nullable(
    Type.Object({
      version: Type.Integer(),
      criteria: Criteria,
      percent: Percent,
      with_findings: WithFindings,
      created_at: IsoTime,
    }),
  ),
});

export const CallScore = Type.Object({
  score: nullable(
    Type.Number({ minimum: 0, maximum: 100, description: 'Null: no criterion could be judged.' }),
  ),
  scorecard_version: Type.Integer(),
  criteria: nullable(
    Type.Unsafe<ScoreVerdict[]>(
      Type.Array(
        Type.Object({
          name: Type.String(),
          points: Type.Integer(),
          result: oneOf(['passed', 'failed', 'not_judged']),
          reason: Type.String(),
        }),
      ),
    ),
  ),
});
