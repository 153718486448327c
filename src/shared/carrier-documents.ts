import type { CarrierKind } from './carrier-kinds.ts';

/** Another party for the far side of a call. */
export interface DialOrder {
  /** A number or a SIP URI. */
  readonly target: string;
  readonly callerId: string;
  readonly ringSeconds: number;
}

/** The documents that tell a carrier what to do with a call, in its XML. */
interface Documents {
  /** The call goes to this WebSocket, and ends with it. */
  stream(url: string): string;
  /** The call goes to another party, and ends with it. */
  dial(order: DialOrder): string;
}

const twilio: Documents = {
  stream: (url) => documentOf(`<Connect><Stream url="${escaped(url)}"/></Connect>`),
  dial: (order) => dialOf(order, 'Sip'),
};

/** Plivo XML (plivo.com/docs/voice/xml/audio-streaming), which Vobiz has, too. */
const plivo: Documents = {
  stream: (url) =>
    documentOf(
      `<Stream bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000">${escaped(url)}</Stream>`,
    ),
  dial: (order) => dialOf(order, 'User'),
};

export const CARRIER_DOCUMENTS: Readonly<Record<CarrierKind, Documents>> = { twilio, plivo, vobiz: plivo };

function dialOf({ target, callerId, ringSeconds }: DialOrder, sip: string): string {
  const noun = /^sips?:/i.test(target) ? sip : 'Number';
  return documentOf(
    `<Dial callerId="${escaped(callerId)}" timeout="${ringSeconds}"><${noun}>${escaped(target)}</${noun}></Dial>`,
  );
}

const documentOf = (verbs: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
