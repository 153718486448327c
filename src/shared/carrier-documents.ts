import type { CarrierKind } from './carrier-kinds.ts';

/** Another party for the far side of a call. */
export interface DialOrder {
  /** A number or a SIP URI. */
  readonly target: string;
  readonly callerId: string;
  readonly ringSeconds: number;
}

/** The documents that tell a carrier what to do with a call. */
interface Documents {
  readonly contentType: string;
  /** The call goes to this WebSocket, and ends with it. `carrierCallId` is null while it is not known. */
  stream(url: string, carrierCallId: string | null): string;
  /** The call goes to another party, and ends with it. */
  dial(order: DialOrder): string;
}

const XML = 'text/xml; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';

const twilio: Documents = {
  contentType: XML,
  stream: (url) => documentOf(`<Connect><Stream url="${escaped(url)}"/></Connect>`),
  dial: (order) => dialOf(order, 'Sip'),
};

/** Plivo XML (plivo.com/docs/voice/xml/audio-streaming), which Vobiz has, too. */
const plivo: Documents = {
  contentType: XML,
  stream: (url) =>
    documentOf(
      `<Stream bidirectional="true" keepCallAlive="true" contentType="audio/x-mulaw;rate=8000">${escaped(url)}</Stream>`,
    ),
  dial: (order) => dialOf(order, 'User'),
};

/** BXML (dev.bandwidth.com/docs/voice/programmable-voice/bxml): the verb behind the stream keeps the call. */
const bandwidth: Documents = {
  contentType: XML,
  stream: (url) =>
    documentOf(
      `<StartStream destination="${escaped(url)}" mode="bidirectional" tracks="inbound"/><Pause duration="86400"/>`,
    ),
  dial: ({ target, callerId, ringSeconds }) => {
    const noun = isSip(target) ? 'SipUri' : 'PhoneNumber';
    return documentOf(
      `<Transfer transferCallerId="${escaped(callerId)}" callTimeout="${ringSeconds}"><${noun}>${escaped(target)}</${noun}></Transfer>`,
    );
  },
};

/** NCCO (developer.vonage.com/voice/voice-api/ncco-reference). */
const vonage: Documents = {
  contentType: JSON_TYPE,
  stream: (uri, carrierCallId) =>
    JSON.stringify([
      {
        action: 'connect',
        endpoint: [
          {
            type: 'websocket',
            uri,
            'content-type': 'audio/l16;rate=8000',
            headers: carrierCallId === null ? {} : { call_uuid: carrierCallId },
            // Signs the upgrade as webhooks are signed.
            authorization: { type: 'vonage' },
          },
        ],
      },
    ]),
  dial: ({ target, callerId, ringSeconds }) =>
    JSON.stringify([
      {
        action: 'connect',
        from: digits(callerId),
        timeout: ringSeconds,
        endpoint: [isSip(target) ? { type: 'sip', uri: target } : { type: 'phone', number: digits(target) }],
      },
    ]),
};

/** Verbs of jambonz (docs.jambonz.org/verbs). */
const jambonz: Documents = {
  contentType: JSON_TYPE,
  stream: (url) =>
    JSON.stringify([
      { verb: 'answer' },
      {
        verb: 'listen',
        url,
        mixType: 'mono',
        sampleRate: 8_000,
        passDtmf: true,
        bidirectionalAudio: { enabled: true, streaming: true, sampleRate: 8_000 },
      },
      { verb: 'hangup' },
    ]),
  dial: ({ target, callerId, ringSeconds }) =>
    JSON.stringify([
      {
        verb: 'dial',
        callerId,
        timeout: ringSeconds,
        target: [isSip(target) ? { type: 'sip', sipUri: target } : { type: 'phone', number: target }],
      },
      { verb: 'hangup' },
    ]),
};

/** Exotel's Voicebot applet asks for the address of the stream; where the call goes then is in its flow. */
const exotel: Documents = {
  contentType: JSON_TYPE,
  stream: (url) => JSON.stringify({ url }),
  dial: ({ target, callerId, ringSeconds }) =>
    JSON.stringify({
      destination: { numbers: [target] },
      outgoing_phone_number: callerId,
      max_ringing_duration: ringSeconds,
    }),
};

/** The dynamic endpoint of the voice bots of Smartflo and Acefone: the second field is how the document spells it. */
const smartflo: Documents = {
  contentType: JSON_TYPE,
  stream: (url) => JSON.stringify({ success: true, sucess: true, wss_url: url }),
  dial: ({ target }) => JSON.stringify({ transfer: { type: 'number', data: [target] } }),
};

/** The dialplan of docs/carriers.md takes the last part of the address, which is the token of the stream. */
const asterisk: Documents = {
  contentType: PLAIN,
  stream: (url) => url.slice(url.lastIndexOf('/') + 1),
  dial: ({ target }) => target,
};

/** The arguments of Asterisk's application AudioSocket: the token of the call, and where this service takes it. */
export const audioSocketDocument = (uuid: string, at: string): string => `${uuid},${at}`;

/** Telnyx runs commands instead of documents. */
const telnyx: Documents = { contentType: JSON_TYPE, stream: () => '{}', dial: () => '{}' };

export const CARRIER_DOCUMENTS: Readonly<Record<CarrierKind, Documents>> = {
  twilio,
  signalwire: twilio,
  telnyx,
  plivo,
  vobiz: plivo,
  exotel,
  vonage,
  smartflo,
  acefone: smartflo,
  bandwidth,
  jambonz,
  asterisk,
};

function dialOf({ target, callerId, ringSeconds }: DialOrder, sip: string): string {
  const noun = isSip(target) ? sip : 'Number';
  return documentOf(
    `<Dial callerId="${escaped(callerId)}" timeout="${ringSeconds}"><${noun}>${escaped(target)}</${noun}></Dial>`,
  );
}

const isSip = (target: string): boolean => /^sips?:/i.test(target);
const digits = (number: string): string => number.replace(/^\+/, '');

const documentOf = (verbs: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
