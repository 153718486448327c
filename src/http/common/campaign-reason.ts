import { Type } from 'typebox';
import { REASON_CODES } from '../../domain/campaigns/state-reason.ts';
import { mapOf, nullable, oneOf } from '../../shared/schema-parts.ts';

/** Why a campaign is in its state, by code: a page says it in the language of its reader. */
export const CampaignReason = nullable(
  Type.Object(
    {
      code: oneOf(REASON_CODES),
      values: mapOf(Type.Integer(), {
        description: '`failed` and `attempts` of circuit_breaker, `error` of template_refused.',
      }),
    },
    {
      description:
        'The reason for the state by its code; null where `message` has another one, such as that of an import.',
    },
  ),
);
