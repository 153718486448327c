import { Type } from 'typebox';
import { e164, IsoTime, LookupId, nullable, Uuid } from '../common/schemas.ts';

const strict = { additionalProperties: false };

export const ErasedCall = Type.Object({
  message: Type.String(),
  call_id: Uuid,
  erased_at: IsoTime,
});

export const ErasedChat = Type.Object({
  message: Type.String(),
  chat_id: Uuid,
  erased_at: IsoTime,
});

export const EraseBody = Type.Object(
  {
    mobile_numbers: Type.Array(e164(), {
      minItems: 1,
      maxItems: 100,
      description: 'In E.164 form.',
    }),
  },
  strict,
);
export const ErasureStarted = Type.Object({
  message: Type.String(),
  erasure_id: Uuid,
  cancelled_count: Type.Integer({ description: 'Queued calls to the numbers that were cancelled.' }),
});
export const ErasureParams = Type.Object({ erasure_id: LookupId });
export const ErasureStatus = Type.Object({
  erasure_id: Uuid,
  status: Type.String({
    example: 'done',
    description: 'running, or done: everything is erased, files included.',
  }),
  erased_calls: Type.Integer(),
  waiting_calls: Type.Integer({ description: 'Live calls, which are erased when they end.' }),
  waiting_files: Type.Integer({
    description: 'Recordings and derived files that are not deleted from disk or object store yet.',
  }),
  requested_at: IsoTime,
  done_at: nullable(IsoTime),
});

const days = (what: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], {
    description: `Days ${what}; null: unlimited.`,
  });
const RULES = {
  recording_days: days('a recording is kept after its call'),
  transcript_days: days('transcript, tool log and analyses are kept after their call'),
  contact_days: days(
    'the number, name and values of a person are kept after the end of their call, chat or campaign message',
  ),
  audit_days: days('an entry of the audit log is kept'),
};
export const RetentionRules = Type.Object(RULES);
export const RetentionBody = Type.Object(
  {
    recording_days: Type.Optional(RULES.recording_days),
    transcript_days: Type.Optional(RULES.transcript_days),
    contact_days: Type.Optional(RULES.contact_days),
    audit_days: Type.Optional(RULES.audit_days),
  },
  { ...strict, minProperties: 1, description: 'At least one rule; absent rules do not change.' },
);
