import { isToken, parseDecimal } from './grammar.ts';
import { storedName, usualName } from './headers.ts';
import { type CSeq, EMPTY_BODY, type Header, type NameAddr, type SipMessage, type Via } from './message.ts';
import { parseAddressList, parseCSeq, parseParty, parseVia } from './parse-header.ts';
import { parseUri, schemeOf } from './uri.ts';

export const MAX_MESSAGE_BYTES = 65_536;
const MAX_HEADERS = 256;
const MAX_LINE_CHARS = 8_192;
const MAX_VIAS = 70;
const SPACE = 0x20;
const TAB = 0x09;
/** CR or LF that is no line end. */
const BARE_END = /\r(?!\n)|(?<!\r)\n/;

/** Raw header text for the stateless response to a malformed request. */
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
  /** Null when no response may be sent: to a response, to an ACK, or without Via or CSeq. */
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

/** Parses one complete SIP message (RFC 3261 section 7). Never throws: a malformed one is a `bad` result. */
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

/**
 * Splits the header section into lines and joins folded ones (RFC 3261 section 7.3.1). Linear in its length: it checks
 * each cap before it joins or inspects a row, and stops at the first row over a cap.
 */
function unfold(text: string): { lines: string[]; fault: string | null } {
  const lines: string[] = [];
  const hasBareEnd = BARE_END.test(text);
  let fault: string | null = null;
  for (let at = 0, rows = 0; at <= text.length; rows++) {
    const next = text.indexOf('\r\n', at);
    const end = next === -1 ? text.length : next;
    if (rows > MAX_HEADERS) return { lines, fault: fault ?? 'Too many headers' };
    if (end - at > MAX_LINE_CHARS) return { lines, fault: fault ?? 'Header too long' };
    const row = text.slice(at, end);
    at = end + 2;
    if (hasBareEnd && /[\r\n]/.test(row)) fault ??= 'Bare CR or LF in header';
    const first = row.charCodeAt(0);
    const previous = first === SPACE || first === TAB ? lines.pop() : undefined;
    const line = previous === undefined ? row : `${previous.trimEnd()} ${row.trimStart()}`;
    if (line.length > MAX_LINE_CHARS) return { lines, fault: fault ?? 'Header too long' };
    lines.push(line);
  }
  return { lines, fault };
}

/**
 * Responses are read leniently: a 2xx that is dropped leaves an answered call without ACK. Only the fields that match
 * it to its transaction and dialog must be valid.
 */
const isResponse = (startLine: string): boolean => startLine.slice(0, 4).toUpperCase() === 'SIP/';

function readHead(text: string): Head {
  const unfolded = unfold(text);
  let { fault } = unfolded;
  const [startLine = '', ...rows] = unfolded.lines;
  const lines: Header[] = [];
  for (const row of rows) {
    const colon = row.indexOf(':');
    const name = colon === -1 ? '' : row.slice(0, colon).trimEnd();
    const usual = usualName(name);
    if (usual !== undefined) lines.push({ name: usual, value: row.slice(colon + 1).trim() });
    else if (isToken(name)) lines.push({ name: storedName(name), value: row.slice(colon + 1).trim() });
    else if (!isResponse(startLine)) fault ??= 'Malformed header line';
  }
  return { lines, startLine, fault };
}

const one = (lines: readonly Header[], name: string): string | null =>
  lines.find((line) => line.name === name)?.value ?? null;

/** A `bad` result, with the parts for a response unless the message must not get one. */
function refuse(head: Head, status: BadMessage['status'], reason: string): BadMessage {
  const via = head.lines.filter((line) => line.name === 'via').map((line) => line.value);
  const cseq = one(head.lines, 'cseq');
  const silent =
    isResponse(head.startLine) ||
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
  const response = isResponse(line) ? /^SIP\/(\d+\.\d+) (\d{3})(?: (.*))?$/i.exec(line) : null;
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
/** Fields that match a response to its transaction and dialog. */
const MATCHED = new Set(['from', 'to', 'call-id', 'cseq']);
/** Fields that are checked one by one; the others stay as they came. */
const READ_FIELD = new Set([...SINGLE, 'via', 'content-length']);

/** Mandatory and single-value header fields, or the reason why one is invalid. */
function readFields(lines: readonly Header[], isLenient: boolean): Fields | string {
  const single = new Map<string, string>();
  const via: Via[] = [];
  const headers: Header[] = [];
  let contentLength: number | null = null;
  for (const line of lines) {
    if (!READ_FIELD.has(line.name)) headers.push(line);
    else if (line.name === 'via') {
      const vias = parseVia(line.value);
      if (vias === null) return 'Malformed Via';
      for (const each of vias) via.push(each);
    } else if (line.name === 'content-length') {
      const length = parseDecimal(line.value, MAX_MESSAGE_BYTES);
      if (length === null || (contentLength !== null && contentLength !== length)) {
        if (!isLenient) return 'Bad Content-Length';
      } else contentLength = length;
    } else {
      if (!single.has(line.name)) single.set(line.name, line.value);
      else if (!isLenient || MATCHED.has(line.name)) return `Repeated ${line.name}`;
      if (!MATCHED.has(line.name)) headers.push(line);
    }
  }
  if (via.length === 0) return 'Missing Via';
  if (via.length > MAX_VIAS) return 'Too many Via values';
  const from = parseParty(single.get('from') ?? '');
  if (from === null) return 'Missing or malformed From';
  const to = parseParty(single.get('to') ?? '');
  if (to === null) return 'Missing or malformed To';
  const callId = single.get('call-id') ?? '';
  if (!/^[^\s]{1,512}$/.test(callId)) return 'Missing or malformed Call-ID';
  const cseq = parseCSeq(single.get('cseq') ?? '');
  if (cseq === null) return 'Missing or malformed CSeq';
  const forwards = single.get('max-forwards');
  if (isLenient) return { via, from, to, callId, cseq, contentLength, headers };
  if (forwards !== undefined && parseDecimal(forwards, 255) === null) return 'Bad Max-Forwards';
  if (!contactHolds(headers)) return 'Malformed Contact';
  return { via, from, to, callId, cseq, contentLength, headers };
}

function contactHolds(headers: readonly Header[]): boolean {
  const contacts: string[] = [];
  for (const line of headers) if (line.name === 'contact') contacts.push(line.value);
  return (
    contacts.length === 0 ||
    (contacts.length === 1 && contacts[0] === '*') ||
    parseAddressList(contacts) !== null
  );
}

function build(head: Head, rest: Buffer): Parsed {
  const start = parseStartLine(head.startLine);
  const fields = readFields(head.lines, isResponse(head.startLine));
  if ('fault' in start) return refuse(head, start.status, start.fault);
  if (typeof fields === 'string') return refuse(head, 400, fields);
  if (fields.contentLength !== null && fields.contentLength > rest.length) {
    return refuse(head, 400, 'Content-Length exceeds the body');
  }
  if (start.kind === 'request' && start.method !== fields.cseq.method) {
    return refuse(head, 400, 'CSeq method differs');
  }
  const { contentLength, ...common } = fields;
  // Bytes beyond Content-Length are not part of the message (RFC 3261 section 18.3).
  const body = contentLength === null ? rest : rest.subarray(0, contentLength);
  // A slice of no bytes would keep the datagram alive as long as the message.
  if (body.length === 0) return { kind: 'message', message: { ...start, ...common, body: EMPTY_BODY } };
  return { kind: 'message', message: { ...start, ...common, body } };
}
