import { Type } from 'typebox';
import { e164, IsoTime, LookupId, mapOf, nullable, Uuid } from '../common/schemas.ts';

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

/** Calls and chats without a number are named by their ids. */
const MAX_ASKED = 100;
const ids = (what: string) => Type.Array(Uuid, { minItems: 1, maxItems: MAX_ASKED, description: what });
export const ExportPersonBody = Type.Object(
  {
    mobile_numbers: Type.Optional(
      Type.Array(e164(), {
        minItems: 1,
        maxItems: 10,
        description: 'The numbers of one person, in E.164 form.',
      }),
    ),
    call_ids: Type.Optional(ids('Calls of the person that no number finds, such as calls of a browser.')),
    chat_ids: Type.Optional(ids('Chats of the person that no number finds, such as chats of a web page.')),
  },
  {
    ...strict,
    minProperties: 1,
    'x-rule': 'must have at least one number, call or chat',
    description: 'At least one number, call or chat of the person.',
  },
);

const Rows = Type.Array(mapOf(Type.Unknown()));
export const ExportedPerson = Type.Object(
  {
    made_at: IsoTime,
    workspace_id: Uuid,
    asked_for: Type.Object({
      mobile_numbers: Type.Array(Type.String()),
      call_ids: Type.Array(Uuid),
      chat_ids: Type.Array(Uuid),
    }),
    calls: Type.Array(
      Type.Object(
        {
          call_id: Uuid,
          recordings: Type.Array(
            Type.Object({
              attempt: Type.Integer(),
              url: Type.String({ description: 'Needs no key and is valid for RECORDING_LINK_DAYS.' }),
            }),
          ),
        },
        { additionalProperties: Rows, description: 'A call, with its rows by table.' },
      ),
    ),
    chats: Type.Array(
      Type.Object(
        { chat_id: Uuid },
        { additionalProperties: Rows, description: 'A chat, with its rows by table.' },
      ),
    ),
    lists: mapOf(Rows, { description: 'Rows with the number: contacts of campaigns, do-not-call lists.' }),
    mentions: mapOf(Rows, {
      description: 'Refused rows of contact lists, logs, stored responses and erasures that name the person.',
    }),
    places: Type.Array(
      Type.Object({
        place: Type.String(),
        holds: Type.String(),
        kept_by: nullable(Type.String({ description: 'The retention rule; null: none.' })),
        left_out: nullable(Type.String({ description: 'Why the document leaves it out; null: it has it.' })),
      }),
      { description: 'Every place of personal data.' },
    ),
    is_complete: Type.Boolean({ description: 'The last field: a document without it was cut off.' }),
  },
  { description: 'Everything that the register of personal data finds of the person.' },
);

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
  test_days: days('the result of a test case is kept after its end'),
  audit_days: days('an entry of the audit log is kept'),
};
export const RetentionRules = Type.Object(RULES);
export const RetentionBody = Type.Object(
  {
    recording_days: Type.Optional(RULES.recording_days),
    transcript_days: Type.Optional(RULES.transcript_days),
    contact_days: Type.Optional(RULES.contact_days),
    test_days: Type.Optional(RULES.test_days),
    audit_days: Type.Optional(RULES.audit_days),
  },
  { ...strict, minProperties: 1, description: 'At least one rule; absent rules do not change.' },
);
