import { Type } from 'typebox';
import { WaitingReason } from '../calls/result-schemas.ts';
import { CampaignReason } from '../common/campaign-reason.ts';
import { IsoTime, LookupId, nullable, oneOf, Uuid } from '../common/schemas.ts';

const Count = Type.Integer();

export const OverviewAnswer = Type.Object({
  live_calls: Count,
  queued: Type.Array(
    Type.Object({
      reason: Type.String({ example: 'WINDOW_CLOSED', description: 'The sub-status of the calls.' }),
      calls: Count,
      next_attempt_at: nullable(IsoTime),
    }),
    { description: 'Individual calls that wait, by reason; counts the 10,000 that are due first.' },
  ),
  campaigns: Type.Array(
    Type.Object({
      id: Uuid,
      name: Type.String(),
      campaign_status: Type.String({ example: 'ongoing' }),
      message: nullable(Type.String({ description: 'The reason for the state, in English.' })),
      reason: CampaignReason,
      waiting: Type.Integer({ description: 'Contacts that wait for their first attempt or a retry.' }),
      waiting_reason: nullable(WaitingReason),
      next_attempt_at: nullable(IsoTime),
    }),
    { description: 'Campaigns that were started and have not ended: the newest 50.' },
  ),
  webhooks: Type.Object(
    { checked: Count, failed: Count, retrying: Count },
    {
      description: 'Deliveries of the last 24 hours, of the newest 1000; those of test events do not count.',
    },
  ),
  latency: Type.Object(
    {
      turns: Count,
      p50_ms: nullable(Type.Number()),
      p95_ms: nullable(Type.Number()),
    },
    {
      description:
        'From the end of the person’s speech to the start of the answer, of the last 24 hours: the 200 calls that were dialled or came in last.',
    },
  ),
});

const KindUse = (what: string, effect: string) =>
  Type.Object(
    {
      bytes: Type.Integer(),
      quota_bytes: nullable(Type.Integer({ description: 'null: no quota.' })),
      is_full: Type.Boolean({ description: effect }),
    },
    { description: what },
  );

export const UsageAnswer = Type.Object({
  storage: Type.Object(
    {
      recordings: KindUse('WAV files, also in an object store.', 'Calls are not recorded.'),
      call_records: KindUse(
        'Transcripts, tool logs, analyses and event logs of calls.',
        'Event logs of calls are not kept; transcripts are.',
      ),
      chats: KindUse('Chats with their messages.', 'No chat begins: 429 STORAGE_QUOTA_REACHED.'),
      tests: KindUse('Results of test runs, and agent tests.', 'No test begins: 429 STORAGE_QUOTA_REACHED.'),
    },
    { description: 'Stored bytes and quotas, both as of the last count.' },
  ),
  counted_at: nullable(IsoTime),
});

export const LedgerQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'More answers 400.' }),
  ),
  before: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'The next_before of the previous page.' }),
  ),
  call_id: Type.Optional(LookupId),
});
export const LedgerPage = Type.Object({
  entries: Type.Array(
    Type.Object({
      call_id: Type.String({
        format: 'uuid',
        description:
          'The call; of other kinds than those of calls the chat, the agent of a test, the knowledge base or the voice.',
      }),
      attempt: Type.Integer({
        minimum: 0,
        description:
          'The attempt of the call, the turn of the chat, 0 for an analysis, or the day (since 1970) of the other kinds.',
      }),
      kind: oneOf(
        ['lock', 'charge', 'transfer', 'chat', 'test', 'embedding', 'preview', 'search', 'analysis'],
        {
          description:
            'lock: reserved when the attempt starts, and returned at its end; charge: the price of the attempt; transfer: the price of its transfers; chat: a turn of a chat; analysis: the analyses of a call, a chat or a case of an agent; test, embedding, preview, search: the sum of a day.',
        },
      ),
      credits: Type.Number(),
      at: IsoTime,
      to_number: Type.String(),
      campaign_id: nullable(Uuid),
    }),
    { description: 'Newest calls first.' },
  ),
  limit: Count,
  next_before: nullable(Type.String({ description: 'The before of the next page; null on the last page.' })),
});
