import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CarrierCallState } from '../../shared/carrier-status.ts';
import { headerOf, type CarrierWebhooks, type Field } from './webhooks.ts';

/** Where Plivo and its copies differ. */
interface Differences {
  /** The header of the signature; that of the nonce is the same with `-nonce` behind. */
  readonly signature: string;
  /** The signature covers the fields of the form, too. */
  readonly coversForm: boolean;
}

/** Plivo: version 3 of its signature covers address, form and nonce (plivo.com/docs/voice/concepts/signature-validation). */
export const plivoWebhooks = family({ signature: 'x-plivo-signature-v3', coversForm: true });
/** Vobiz: the signature covers address and nonce (vobiz.ai/docs/concepts/validating-callbacks). */
export const vobizWebhooks = family({ signature: 'x-vobiz-signature-v3', coversForm: false });

function family({ signature, coversForm }: Differences): CarrierWebhooks {
  return {
    provenBy: 'password',
    partiesOf: (field) => ({ from: field('From'), to: field('To') }),
    isSigned(request, form, secret) {
      const nonce = headerOf(request, `${signature}-nonce`);
      const text = signedText(request.url, coversForm ? form : new URLSearchParams(), nonce);
      const expected = createHmac('sha256', secret).update(text, 'utf8').digest();
      // An account with two tokens has a signature of each.
      return (
        nonce !== '' &&
        headerOf(request, signature)
          .split(',')
          .map((one) => Buffer.from(one.trim(), 'base64'))
          .some((sent) => sent.length === expected.length && timingSafeEqual(sent, expected))
      );
    },
    // The token that signs is that of the account.
    accountOf: () => null,
    callIdOf: (field) => field('CallUUID'),
    stateOf,
    sipCodeOf: () => null,
    upgrade: { headers: [signature], always: false },
  };
}

/**
 * The text of a signature: the address, its query in the order of the names, then the form as names and values without
 * anything between them, and the nonce.
 */
export function signedText(url: string, form: URLSearchParams, nonce: string): string {
  const { origin, pathname, searchParams } = new URL(url);
  const query = sorted(searchParams)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const fields = sorted(form)
    .map(([name, value]) => name + value)
    .join('');
  const hasForm = form.size > 0;
  const separated = query === '' && !hasForm ? '' : `?${query}${query !== '' && hasForm ? '.' : ''}`;
  return `${origin}${pathname}${separated}${fields}.${nonce}`;
}

const sorted = (pairs: URLSearchParams): [string, string][] =>
  [...pairs].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : Number(x > y)) : a < b ? -1 : 1));

const STATES: Readonly<Record<string, CarrierCallState>> = {
  ringing: 'ringing',
  'in-progress': 'answered',
  answered: 'answered',
  completed: 'completed',
  busy: 'busy',
  timeout: 'no_answer',
  'no-answer': 'no_answer',
  cancel: 'cancelled',
  failed: 'failed',
};

/** Hangup causes of numbers that do not exist (plivo.com/docs/voice/troubleshooting/hangup-causes). */
const BAD_NUMBERS: ReadonlySet<string> = new Set(['2000', '2010']);

function stateOf(field: Field): CarrierCallState | null {
  const state = STATES[field('CallStatus')] ?? null;
  return state === 'failed' && BAD_NUMBERS.has(field('HangupCauseCode')) ? 'invalid_number' : state;
}
