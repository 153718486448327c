import { reasonOf } from './end-reason.ts';
import { hasControl, splitOutside, unquote, withoutControl } from './grammar.ts';
import { header, headerLines, headerTokens, type NameAddr, type SipRequest } from './message.ts';
import { parseAddress } from './parse-header.ts';
import { parseUri, userOf } from './uri.ts';

/** What the headers of an INVITE say about a call, as text of one line; absent: the headers do not say it. */
export interface CallHeaders {
  /** User of P-Asserted-Identity: the caller as the carrier knows it (RFC 3325). */
  readonly assertedIdentity?: string;
  /** User of P-Preferred-Identity: the caller as its own device names it (RFC 3325). */
  readonly preferredIdentity?: string;
  /** The last party that diverted the call, and why (RFC 5806, RFC 7044). */
  readonly divertedFrom?: string;
  readonly diversionReason?: string;
  /** The party that was called first. */
  readonly firstCalled?: string;
  /** User-to-User (RFC 7433): text where its octets are text, else hexadecimal digits in lower case. */
  readonly userToUser?: string;
  /** What the carrier's check of the caller's signature gave, such as `TN-Validation-Passed` (3GPP TS 24.229). */
  readonly verstat?: string;
  /** Values of the headers that the trunk names, by name in lower case. */
  readonly others?: Readonly<Record<string, string>>;
}

/** What the peer's BYE says, as text of one line; absent: it does not say it. */
export interface ByeHeaders extends Pick<CallHeaders, 'userToUser' | 'others'> {
  /** Reason (RFC 3326) as words, such as `Q.850 16 Normal call clearing`. */
  readonly reason?: string;
}

/** Values of Privacy that hide the caller, and those that hide the earlier targets (RFC 3323, RFC 3325, RFC 7044). */
const HIDES_CALLER = new Set(['id', 'user', 'header']);
const HIDES_HISTORY = new Set(['history', 'header']);
const MAX_USER = 64;
const MAX_ENTRIES = 20;
const MAX_TEXT = 256;
/** Causes of a retargeted URI (RFC 4458), in the words of Diversion. */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ['302', 'unconditional'],
  ['404', 'unknown'],
  ['408', 'no-answer'],
  ['480', 'deflection'],
  ['486', 'user-busy'],
  ['487', 'deflection'],
  ['503', 'unavailable'],
]);

const privacyOf = (request: SipRequest): string[] =>
  headerTokens(request, 'privacy')
    .flatMap((value) => value.split(';'))
    .map((value) => value.trim().toLowerCase());

/** Whether the caller asks that the callee does not learn who calls. */
export const hidesCaller = (request: SipRequest): boolean =>
  privacyOf(request).some((value) => HIDES_CALLER.has(value));

/** The addresses of a header in order, at most 20; what is no address is left out. */
export const addressesOf = (request: SipRequest, name: string): NameAddr[] =>
  header(request, name) === null
    ? []
    : headerLines(request, name)
        .flatMap((line) => splitOutside(line, ',') ?? [])
        .slice(0, MAX_ENTRIES)
        .map((value) => parseAddress(value))
        .filter((address) => address !== null);

/** `names` are those of `others`. What the caller asks to hide is absent. Pure. */
export function callHeadersOf(request: SipRequest, names: readonly string[] = []): CallHeaders {
  const asserted = addressesOf(request, 'p-asserted-identity');
  const found = {
    ...(hidesCaller(request)
      ? {}
      : {
          assertedIdentity: firstUser(asserted),
          preferredIdentity: firstUser(addressesOf(request, 'p-preferred-identity')),
        }),
    ...diversionOf(request),
    userToUser: userToUser(request),
    verstat: verstatOf([...asserted, request.from]),
  };
  return { ...withValues(Object.entries(found)), ...othersOf(request, names) };
}

/** `names` are those of `others`. Pure. */
export const byeHeadersOf = (bye: SipRequest, names: readonly string[] = []): ByeHeaders => ({
  ...withValues([
    ['reason', reasonOf(bye) ?? undefined],
    ['userToUser', userToUser(bye)],
  ]),
  ...othersOf(bye, names),
});

function othersOf(request: SipRequest, names: readonly string[]): Pick<CallHeaders, 'others'> {
  const others = withValues(
    names.map((name) => name.toLowerCase()).map((name) => [name, otherHeader(request, name)]),
  );
  return Object.keys(others).length === 0 ? {} : { others };
}

const withValues = (entries: readonly (readonly [string, string | undefined])[]): Record<string, string> =>
  Object.fromEntries(entries.filter((entry): entry is readonly [string, string] => (entry[1] ?? '') !== ''));

const otherHeader = (request: SipRequest, name: string): string | undefined => {
  const value = header(request, name);
  return value === null ? undefined : withoutControl(value).trim().slice(0, MAX_TEXT);
};

const user = (address: NameAddr | undefined): string | undefined =>
  address === undefined ? undefined : userOf(parseUri(address.uri)).slice(0, MAX_USER);

const firstUser = (addresses: readonly NameAddr[]): string | undefined =>
  addresses.map(user).find((name) => name !== '');

const word = (text: string | null | undefined): string | undefined =>
  text == null ? undefined : withoutControl(unquote(text)).slice(0, MAX_USER);

const UNDIVERTED = { divertedFrom: undefined, diversionReason: undefined, firstCalled: undefined };

/** Diversion has its latest entry first, History-Info its current target last. Hidden entries are left out. */
function diversionOf(
  request: SipRequest,
): Record<'divertedFrom' | 'diversionReason' | 'firstCalled', string | undefined> {
  if (header(request, 'diversion') === null && header(request, 'history-info') === null) return UNDIVERTED;
  const diversions = addressesOf(request, 'diversion').filter(
    ({ params }) => !['full', 'uri'].includes(word(params.get('privacy'))?.toLowerCase() ?? ''),
  );
  const hidden = privacyOf(request).some((value) => HIDES_HISTORY.has(value));
  const history = hidden ? [] : addressesOf(request, 'history-info').map(historyEntry);
  const earlier = history.slice(0, -1).filter((entry) => !entry.isHidden);
  return {
    divertedFrom: user(diversions[0]) ?? earlier.at(-1)?.user,
    diversionReason: word(diversions[0]?.params.get('reason')) ?? causeOf(history),
    firstCalled: user(diversions.at(-1)) ?? earlier[0]?.user,
  };
}

interface HistoryEntry {
  readonly user: string;
  readonly cause: string | null;
  readonly isHidden: boolean;
}

function historyEntry(address: NameAddr): HistoryEntry {
  const uri = parseUri(address.uri);
  const headers = uri !== null && uri.scheme !== 'tel' ? uri.headers : null;
  return {
    user: userOf(uri).slice(0, MAX_USER),
    cause: uri?.params.get('cause') ?? null,
    isHidden: /(?:^|&)privacy=(?!none)/i.test(headers ?? ''),
  };
}

/** Why the call left its last earlier target; undefined without a diversion. */
const causeOf = (history: readonly HistoryEntry[]): string | undefined =>
  history.length < 2 ? undefined : CAUSES.get(history.at(-1)?.cause ?? '');

/** The first User-to-User value; hexadecimal digits are read as text where they are text. */
function userToUser(request: SipRequest): string | undefined {
  const line = header(request, 'user-to-user');
  if (line === null) return undefined;
  const [first] = splitOutside(line, ',') ?? [];
  const [data = '', ...params] = splitOutside(first ?? '', ';') ?? [];
  const value = unquote(data.trim());
  const encoding = params
    .map((param) => /^\s*encoding\s*=\s*"?([\w-]+)/i.exec(param)?.[1]?.toLowerCase())
    .find((name) => name !== undefined);
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(value);
  if (!isHex || (encoding !== undefined && encoding !== 'hex'))
    return withoutControl(value).slice(0, MAX_TEXT);
  return textOfHex(value.toLowerCase()) ?? value.toLowerCase().slice(0, MAX_TEXT);
}

/** Text of UTF-8 octets, also behind the protocol discriminator of ISDN (RFC 7434); null when they are no text. */
function textOfHex(hex: string): string | null {
  const octets = Buffer.from(/^0[04]/.test(hex) ? hex.slice(2) : hex, 'hex');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(octets);
    return text === '' || hasControl(text) ? null : text.slice(0, MAX_TEXT);
  } catch {
    return null;
  }
}

/** A parameter of the URI or of its user part, of the first address that has one. */
const verstatOf = (addresses: readonly NameAddr[]): string | undefined =>
  addresses.map(({ uri }) => /;verstat=([\w-]{1,40})/i.exec(uri)?.[1]).find((value) => value !== undefined);
