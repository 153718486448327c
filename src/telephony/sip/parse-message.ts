import { isToken, parseDecimal } from './grammar.ts';
import { storedName } from './header-names.ts';
import type { CSeq, Header, NameAddr, SipMessage, Via } from './message.ts';
import { parseAddress, parseAddressList } from './parse-address.ts';
import { parseCSeq, parseVia } from './parse-via.ts';
import { parseUri, schemeOf } from './uri.ts';

export const MAX_MESSAGE_BYTES = 65_536;
const MAX_HEADERS = 256;
const MAX_LINE_CHARS = 8_192;
const MAX_VIAS = 70;

/** What a stateless refusal of a malformed request is built from: header text as it came. */
export interface ReplyParts {
  readonly via: readonly string[];
  readonly from: string | null;
  readonly to: string | null;
  readonly callId: string | null;
  readonly cseq: string;
}

export interface BadMessage {
  readonly kind: 'bad';
  readonly status: 400 | 505 | 513;
  readonly reason: string;
  /** Null when nothing may be answered: a response, an ACK, or too little to address an answer. */
  readonly reply: ReplyParts | null;
}

export type Parsed =
  | { readonly kind: 'message'; readonly message: SipMessage }
  | { readonly kind: 'keepalive' }
  | BadMessage;

type StartLine =
  | { readonly kind: 'request'; readonly method: string; readonly uri: string }
  | { readonly kind: 'response'; readonly status: number; readonly reason: string };

interface Head {
  readonly lines: readonly Header[];
  readonly startLine: string;
  readonly fault: string | null;
}

/** One whole SIP message (RFC 3261 section 7). Never throws: every fault is a `bad` result with its reason. */
export function parseMessage(bytes: Buffer): Parsed {
  if (bytes.length > MAX_MESSAGE_BYTES) return bad(513, 'Message too large', null);
  let start = 0;
  while (bytes[start] === 13 || bytes[start] === 10) start++;
  if (start === bytes.length) return { kind: 'keepalive' };
  const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
  const headEnd = end === -1 ? bytes.length : end;
  const head = readHead(bytes.toString('utf8', start, headEnd));
  if (end === -1) return refuse(head, 400, 'Header section has no end');
  if (head.fault !== null) return refuse(head, 400, head.fault);
  return build(head, bytes.subarray(end + 4));
}

const bad = (status: BadMessage['status'], reason: string, reply: ReplyParts | null): BadMessage => ({
  kind: 'bad',
  status,
  reason,
  reply,
});

function readHead(text: string): Head {
  const unfolded = /\r\n[ \t]/.test(text) ? text.replace(/[ \t]*\r\n[ \t]+/g, ' ') : text;
  const rows = unfolded.split('\r\n');
  const lines: Header[] = [];
  let fault = /[\r\n]/.test(unfolded.replaceAll('\r\n', '')) ? 'Bare CR or LF in header' : null;
  if (rows.length - 1 > MAX_HEADERS) fault ??= 'Too many headers';
  for (const row of rows.slice(1, MAX_HEADERS + 1)) {
    const colon = row.indexOf(':');
    const name = colon === -1 ? '' : row.slice(0, colon).trimEnd();
    if (!isToken(name)) fault ??= 'Malformed header line';
    else if (row.length > MAX_LINE_CHARS) fault ??= 'Header too long';
    else lines.push({ name: storedName(name), value: row.slice(colon + 1).trim() });
  }
  return { lines, startLine: rows[0] ?? '', fault };
}

const one = (lines: readonly Header[], name: string): string | null =>
  lines.find((line) => line.name === name)?.value ?? null;

/** A `bad` result that carries what an answer needs, unless the message must not be answered. */
function refuse(head: Head, status: BadMessage['status'], reason: string): BadMessage {
  const via = head.lines.filter((line) => line.name === 'via').map((line) => line.value);
  const cseq = one(head.lines, 'cseq');
  const silent =
    /^SIP\//i.test(head.startLine) ||
    /^ACK\b/.test(head.startLine) ||
    /\bACK$/.test(cseq ?? 'ACK') ||
    via.length === 0;
  if (silent || cseq === null) return bad(status, reason, null);
  return bad(status, reason, {
    via,
    from: one(head.lines, 'from'),
    to: one(head.lines, 'to'),
    callId: one(head.lines, 'call-id'),
    cseq,
  });
}

function parseStartLine(line: string): StartLine | { readonly fault: string; readonly status: 400 | 505 } {
  const response = /^SIP\/(\d+\.\d+) (\d{3})(?: (.*))?$/i.exec(line);
  if (response !== null) {
    const status = Number(response[2]);
    if (response[1] !== '2.0' || status < 100 || status > 699)
      return { fault: 'Bad status line', status: 400 };
    return { kind: 'response', status, reason: response[3] ?? '' };
  }
  const request = /^(\S+) (\S+) SIP\/(\d+\.\d+)$/i.exec(line);
  const method = request?.[1] ?? '';
  const uri = request?.[2] ?? '';
  if (request === null || !isToken(method)) return { fault: 'Malformed request line', status: 400 };
  if (request[3] !== '2.0') return { fault: 'Version Not Supported', status: 505 };
  const scheme = schemeOf(uri);
  if (scheme === null) return { fault: 'Malformed Request-URI', status: 400 };
  if (scheme === 'sip' || scheme === 'sips' || scheme === 'tel') {
    const parsed = parseUri(uri);
    if (parsed === null) return { fault: 'Malformed Request-URI', status: 400 };
    if (parsed.scheme !== 'tel' && parsed.headers !== null) {
      return { fault: 'Headers in Request-URI', status: 400 };
    }
  }
  return { kind: 'request', method, uri };
}

interface Fields {
  readonly via: Via[];
  readonly from: NameAddr;
  readonly to: NameAddr;
  readonly callId: string;
  readonly cseq: CSeq;
  readonly contentLength: number | null;
  readonly headers: Header[];
}

const SINGLE = new Set([
  'from',
  'to',
  'call-id',
  'cseq',
  'max-forwards',
  'content-type',
  'expires',
  'min-expires',
  'retry-after',
]);
const OWN_FIELD = new Set(['via', 'from', 'to', 'call-id', 'cseq', 'content-length']);

/** The mandatory and single fields, or the reason why they do not hold. */
function readFields(lines: readonly Header[]): Fields | string {
  const single = new Map<string, string>();
  const via: Via[] = [];
  const headers: Header[] = [];
  let contentLength: number | null = null;
  for (const line of lines) {
    if (line.name === 'via') {
      const vias = parseVia(line.value);
      if (vias === null) return 'Malformed Via';
      via.push(...vias);
    } else if (line.name === 'content-length') {
      const length = parseDecimal(line.value, MAX_MESSAGE_BYTES);
      if (length === null || (contentLength !== null && contentLength !== length))
        return 'Bad Content-Length';
      contentLength = length;
    } else if (SINGLE.has(line.name)) {
      if (single.has(line.name)) return `Repeated ${line.name}`;
      single.set(line.name, line.value);
    }
    if (!OWN_FIELD.has(line.name)) headers.push(line);
  }
  if (via.length === 0) return 'Missing Via';
  if (via.length > MAX_VIAS) return 'Too many Via values';
  const from = parseAddress(single.get('from') ?? '');
  if (from === null) return 'Missing or malformed From';
  const to = parseAddress(single.get('to') ?? '');
  if (to === null) return 'Missing or malformed To';
  const callId = single.get('call-id') ?? '';
  if (!/^[^\s]{1,512}$/.test(callId)) return 'Missing or malformed Call-ID';
  const cseq = parseCSeq(single.get('cseq') ?? '');
  if (cseq === null) return 'Missing or malformed CSeq';
  const forwards = single.get('max-forwards');
  if (forwards !== undefined && parseDecimal(forwards, 255) === null) return 'Bad Max-Forwards';
  if (!contactHolds(headers)) return 'Malformed Contact';
  return { via, from, to, callId, cseq, contentLength, headers };
}

function contactHolds(headers: readonly Header[]): boolean {
  const contacts = headers.filter((line) => line.name === 'contact').map((line) => line.value);
  return (
    contacts.length === 0 ||
    (contacts.length === 1 && contacts[0] === '*') ||
    parseAddressList(contacts) !== null
  );
}

function build(head: Head, rest: Buffer): Parsed {
  const start = parseStartLine(head.startLine);
  const fields = readFields(head.lines);
  if ('fault' in start) return refuse(head, start.status, start.fault);
  if (typeof fields === 'string') return refuse(head, 400, fields);
  if (fields.contentLength !== null && fields.contentLength > rest.length) {
    return refuse(head, 400, 'Content-Length exceeds the body');
  }
  if (start.kind === 'request' && start.method !== fields.cseq.method) {
    return refuse(head, 400, 'CSeq method differs');
  }
  const { contentLength, ...common } = fields;
  // Bytes behind the announced length are not part of the message (RFC 3261 section 18.3).
  const body = contentLength === null ? rest : rest.subarray(0, contentLength);
  return { kind: 'message', message: { ...start, ...common, body } };
}
