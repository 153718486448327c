import type { DtmfDigit } from '@callwright/audio';
import { type Header, mediaType, type SipRequest, textBody } from './message.ts';

const DIGITS: ReadonlyMap<string, DtmfDigit> = new Map(
  (['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#', 'A', 'B', 'C', 'D'] as const).map((d) => [
    d,
    d,
  ]),
);
/** RFC 4733 event codes, which some gateways put into Signal. */
const EVENTS: ReadonlyMap<string, DtmfDigit> = new Map([
  ['10', '*'],
  ['11', '#'],
  ['12', 'A'],
  ['13', 'B'],
  ['14', 'C'],
  ['15', 'D'],
]);

/** Digit of an INFO: `Signal=5` in application/dtmf-relay, or the bare digit in application/dtmf. */
export function dtmfOfInfo(request: SipRequest): DtmfDigit | null {
  const type = mediaType(request);
  const text = request.body.subarray(0, 256).toString('latin1');
  const signal =
    type === 'application/dtmf-relay'
      ? /^[ \t]*Signal[ \t]*=[ \t]*(\S{1,2})[ \t]*$/im.exec(text)?.[1]
      : type === 'application/dtmf'
        ? text.trim()
        : undefined;
  if (signal === undefined) return null;
  return DIGITS.get(signal.toUpperCase()) ?? EVENTS.get(signal) ?? null;
}

/** Headers and body of an INFO with one digit of 160 ms. */
export const infoOfDtmf = (digit: DtmfDigit): { headers: readonly Header[]; body: Buffer } => ({
  headers: [{ name: 'content-type', value: 'application/dtmf-relay' }],
  body: textBody(`Signal=${digit}\r\nDuration=160\r\n`),
});
