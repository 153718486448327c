import { formatParams, quote } from './grammar.ts';
import { writtenName } from './headers.ts';
import type { NameAddr, SipMessage, Via } from './message.ts';
import type { BadMessage } from './parse-message.ts';
import { reasonFor } from './response.ts';
import { formatHostPort } from './uri.ts';

export const formatVia = (via: Via): string =>
  `SIP/2.0/${via.transport} ${formatHostPort(via.host, via.port)}${formatParams(via.params)}`;

/** Always writes angle brackets, so that URI parameters cannot become header parameters. */
export const formatAddress = (address: NameAddr): string =>
  `${address.displayName === null ? '' : `${quote(address.displayName)} `}<${address.uri}>${formatParams(address.params)}`;

/** Start line and headers, always with Content-Length (RFC 3261 section 7), up to the body. */
function headOf(message: SipMessage): string {
  const start =
    message.kind === 'request'
      ? `${message.method} ${message.uri} SIP/2.0\r\n`
      : `SIP/2.0 ${message.status} ${message.reason}\r\n`;
  let head = start;
  for (const via of message.via) head += `Via: ${formatVia(via)}\r\n`;
  head += `From: ${formatAddress(message.from)}\r\nTo: ${formatAddress(message.to)}\r\n`;
  head += `Call-ID: ${message.callId}\r\nCSeq: ${message.cseq.sequence} ${message.cseq.method}\r\n`;
  for (const { name, value } of message.headers) head += `${writtenName(name)}: ${value}\r\n`;
  return `${head}Content-Length: ${message.body.length}\r\n\r\n`;
}

export function writeMessage(message: SipMessage): Buffer {
  const head = headOf(message);
  const size = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(size + message.body.length);
  bytes.write(head);
  message.body.copy(bytes, size);
  return bytes;
}

/** The message as one text, whose body must be text, as all bodies of ours are. */
export const textOf = (message: SipMessage): string => `${headOf(message)}${message.body.toString('utf8')}`;

/** Serializes the stateless response to a malformed request; null when none may be sent. */
export function writeRefusal(bad: BadMessage, toTag: string): Buffer | null {
  const parts = bad.reply;
  if (parts === null) return null;
  // A bare CR or LF in a value would inject header lines into the response.
  const clean = (value: string): string => value.replace(/[\0\r\n]/g, ' ');
  const lines = [`SIP/2.0 ${bad.status} ${reasonFor(bad.status)}`];
  for (const via of parts.via) lines.push(`Via: ${clean(via)}`);
  if (parts.from !== null) lines.push(`From: ${clean(parts.from)}`);
  if (parts.to !== null)
    lines.push(`To: ${clean(parts.to)}${/;\s*tag\s*=/i.test(parts.to) ? '' : `;tag=${toTag}`}`);
  if (parts.callId !== null) lines.push(`Call-ID: ${clean(parts.callId)}`);
  lines.push(
    `CSeq: ${clean(parts.cseq)}`,
    `Warning: 399 callwright ${quote(bad.reason)}`,
    'Content-Length: 0',
  );
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
}
