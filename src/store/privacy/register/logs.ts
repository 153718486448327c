import { erasedBy, leftOut, stays } from './columns.ts';
import type { PersonalTable } from './register.ts';

const RECEIVER =
  "after the last delivery the call's own receiver is reduced to its host; receivers of the workspace are data of the operator";

const NOT_THEIRS =
  'it is the address of a receiver of the operator, with its credentials; the export has its host';

export const LOG_TABLES = {
  events: {
    holds: 'events of calls and chats',
    call: 'call_id',
    chat: 'call_id',
    exporting: 'rows',
    facts: ['event_type', 'occurred_at'],
    order: 'seq',
    columns: {
      body: erasedBy(
        'copies of number, name, values, conversation and analyses',
        'number masked, personal fields deleted. Events still to be delivered are sent with `"erased": true`; events delivered before stay with the receiver',
        'transcript_days',
      ),
    },
  },
  deliveries: {
    holds: 'log of webhooks',
    call: 'call_id',
    chat: 'call_id',
    exporting: 'rows',
    facts: ['event_type', 'host', 'state', 'created_at', 'finished_at'],
    order: 'id',
    columns: {
      attempts: erasedBy('responses of receivers', 'responses are deleted', 'transcript_days'),
      url: leftOut(NOT_THEIRS, erasedBy('address of a receiver that the call named', RECEIVER)),
      target: leftOut(NOT_THEIRS, erasedBy('the same, with the method', RECEIVER)),
      headers: leftOut(NOT_THEIRS, erasedBy('headers of the receiver', 'deleted with the address')),
    },
  },
  delivery_queue: {
    holds: 'webhooks to be sent',
    exporting: { leftOut: 'the log of webhooks has them, too' },
    call: 'call_id',
    columns: { target: erasedBy('address of a receiver', 'the row ends with the delivery') },
  },
  webhook_outages: {
    holds: 'receivers that accept nothing',
    exporting: { leftOut: 'they are receivers of the operator' },
    columns: {
      target: erasedBy('address of a receiver', "the outage of the call's own receiver is deleted"),
      target_key: erasedBy('its MD5', 'the same'),
      url: erasedBy('the same address', 'the same'),
    },
  },
  idempotency_keys: {
    holds: 'stored responses',
    exporting: { by: 'the responses to requests that placed the calls' },
    columns: {
      response: erasedBy(
        'values of a call, refused rows of a list',
        'values and refused rows are deleted; every key and response is deleted a day after its request',
      ),
      key: stays('key that the client chose', 'it prevents a second call; it is deleted after a day'),
    },
  },
  api_requests: {
    holds: 'log of API requests, for 30 days at most',
    exporting: {
      by: 'entries with the number in any spelling, or with the id of a call or chat; without the texts of an entry that names the number of another person, too',
    },
    columns: Object.fromEntries(
      ['path', 'body', 'response', 'notices'].map((column) => [
        column,
        erasedBy(
          column === 'path' ? 'path and query' : column,
          'entries with the number in any spelling, or with the id of an erased call or chat, are deleted, and so are entries that hold only the beginning of a body',
          'transcript_days',
        ),
      ]),
    ),
  },
  jobs: {
    holds: 'background work',
    exporting: { leftOut: 'it holds no personal data' },
    columns: {
      payload: stays('ids of calls, chats and sources', 'they hold no personal data'),
      last_error: stays('name of an error', 'it holds no personal data'),
    },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
