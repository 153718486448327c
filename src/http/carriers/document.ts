/** The answer to a voice webhook of Twilio (TwiML): the call goes to this WebSocket, and ends with it. */
export const streamDocument = (url: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response><Connect><Stream url="${escaped(url)}"/></Connect></Response>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
