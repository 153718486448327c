/** Documents of Twilio (TwiML), which tell it what to do with a call. */

/** The call goes to this WebSocket, and ends with it. */
export const streamDocument = (url: string): string =>
  documentOf(`<Connect><Stream url="${escaped(url)}"/></Connect>`);

/** The call goes to another party, a number or a SIP URI, and ends with it. */
export function dialDocument(target: string, callerId: string, ringSeconds: number): string {
  const noun = /^sips?:/i.test(target) ? 'Sip' : 'Number';
  return documentOf(
    `<Dial callerId="${escaped(callerId)}" timeout="${ringSeconds}"><${noun}>${escaped(target)}</${noun}></Dial>`,
  );
}

const documentOf = (verbs: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
