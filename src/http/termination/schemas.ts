import { Type } from 'typebox';
import { e164, IsoTime, LookupId, Offset } from '../common/schemas.ts';

const strict = { additionalProperties: false };
const numbers = (maxItems: number) =>
  Type.Array(e164(), { minItems: 1, maxItems, description: 'E.164 with country code.' });

export const TerminateBody = Type.Object(
  {
    campaign_id: Type.Optional(LookupId),
    agent_id: Type.Optional(LookupId),
    call_ids: Type.Optional(Type.Array(LookupId, { minItems: 1, maxItems: 100 })),
    mobile_numbers: Type.Optional(numbers(100)),
  },
  {
    ...strict,
    description:
      'Exactly one of campaign_id, agent_id, call_ids and mobile_numbers; mobile_numbers may go with campaign_id.',
  },
);
export const TerminateAnswer = Type.Object({
  message: Type.String(),
  terminated_count: Type.Integer({
    description: 'Stopped queued and retry calls. Those of a large campaign end after the answer.',
  }),
});

const CampaignId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The campaign whose list to use; default: the list of the workspace.',
  }),
);
export const DoNotCallQuery = Type.Object({
  campaign_id: CampaignId,
  mobile_number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Searches for one number.' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
  offset: Type.Optional(Offset),
});
export const DoNotCallList = Type.Object({
  numbers: Type.Array(
    Type.Object({
      mobile_number: Type.String(),
      reason: Type.String({ description: 'ADDED by the API, or OPTED_OUT during a call.' }),
      created_at: IsoTime,
    }),
  ),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer({ description: 'Numbers on this page.' }),
  total: Type.Integer(),
});
export const DoNotCallBody = Type.Object({ campaign_id: CampaignId, mobile_numbers: numbers(1000) }, strict);
export const DoNotCallAdded = Type.Object({
  message: Type.String(),
  added_count: Type.Integer({ description: 'Numbers that were newly listed.' }),
  cancelled_count: Type.Integer({ description: 'Cancelled queued calls to them.' }),
});
export const DoNotCallRemoved = Type.Object({ message: Type.String(), removed_count: Type.Integer() });
