import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { hasSecret } from './shared-secret.ts';
import { sipStatus, type CarrierWebhooks, type Field, type PlacedStream } from './webhooks.ts';

const STATES: Readonly<Record<string, CarrierCallState>> = {
  ringing: 'ringing',
  answered: 'answered',
  answer: 'answered',
  'in-progress': 'answered',
  completed: 'completed',
  hangup: 'completed',
  busy: 'busy',
  'no-answer': 'no_answer',
  noanswer: 'no_answer',
  missed: 'no_answer',
  timeout: 'no_answer',
  cancel: 'cancelled',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  failed: 'failed',
  rejected: 'busy',
  chanunavail: 'failed',
  congestion: 'failed',
  error: 'failed',
};

const stateIn = (...texts: readonly string[]): CarrierCallState | null =>
  texts.map((text) => STATES[text.toLowerCase()]).find((state) => state !== undefined) ?? null;

/** Requests without a signature: the secret of the trunk is in their address or their Authorization. */
const unsigned = (
  rest: Pick<CarrierWebhooks, 'callIdOf' | 'partiesOf' | 'stateOf'> & Partial<CarrierWebhooks>,
): CarrierWebhooks => ({
  provenBy: 'signing_key',
  isSigned: hasSecret,
  accountOf: () => null,
  sipCodeOf: () => null,
  ...rest,
});

/** Exotel: the Voicebot applet's request has a query, its reports JSON (developer.exotel.com). */
export const exotelWebhooks = unsigned({
  callIdOf: (field) => field('CallSid', 'call_sid'),
  partiesOf: (field) => ({ from: field('CallFrom', 'From', 'from'), to: field('CallTo', 'To', 'to') }),
  stateOf: (field) => stateIn(field('Status', 'CallStatus', 'status'), field('EventType', 'event_type')),
});

/** Bandwidth: JSON with the credentials that the application, or the place request, names. */
export const bandwidthWebhooks = unsigned({
  accountOf: (field) => field('accountId'),
  callIdOf: (field) => field('callId'),
  partiesOf: (field) => ({ from: field('from'), to: field('to') }),
  isNew: (field) => field('eventType') === 'initiate',
  stateOf(field) {
    const event = field('eventType');
    if (event === 'answer') return 'answered';
    return event === 'disconnect' ? (CAUSES[field('cause')] ?? 'failed') : null;
  },
});

const CAUSES: Readonly<Record<string, CarrierCallState>> = {
  hangup: 'completed',
  timeout: 'no_answer',
  busy: 'busy',
  rejected: 'busy',
  cancel: 'cancelled',
  'invalid-number': 'invalid_number',
  'unknown-number': 'invalid_number',
};

/** The custom identifier of a call that we place. */
const IDENTIFIER = /^([0-9a-f-]{36}-\d{1,6})\.(p\.\w{10,100})$/;

function placedStream(field: Field): PlacedStream | null {
  const [, attemptId, token] =
    IDENTIFIER.exec(field('custom_identifier', 'customIdentifier', 'custom_identifier_1')) ?? [];
  return attemptId === undefined || token === undefined ? null : { attemptId, token };
}

/** Smartflo and Acefone: fields as their templates name them. */
export const smartfloWebhooks = unsigned({
  callIdOf: (field) => field('call_id', 'callSid', 'call_sid', 'uuid'),
  partiesOf: (field) => ({
    from: field('caller_id_number', 'customer_number', 'from'),
    to: field('call_to_number', 'did_number', 'to'),
  }),
  placedOf: placedStream,
  stateOf: (field) => stateIn(field('call_status', 'status'), field('event')),
});

/** The dialplan of docs/carriers.md, with its own names. */
export const asteriskWebhooks = unsigned({
  callIdOf: (field) => field('CallSid'),
  partiesOf: (field) => ({ from: field('From'), to: field('To') }),
  isAudioSocket: (field) => field('Stream').toLowerCase() === 'audiosocket',
  stateOf: (field) => stateIn(field('CallStatus')),
  sipCodeOf: (field) => sipStatus(field('SipCode')),
});
