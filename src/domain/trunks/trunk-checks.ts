import ipaddr from 'ipaddr.js';
import { isCarrierKind, type CarrierKind } from '../../shared/carrier-kinds.ts';
import { wireName } from '../../shared/wire-names.ts';
import type { TrunkBody } from '../../wire/provision/schema.ts';
import { uriTransport } from './uri-transport.ts';

/** What the schema of a trunk cannot say, as `path rule`. Pure. */
export function trunkProblems(path: string, trunk: TrunkBody): string[] {
  if (isCarrierKind(trunk.kind)) return carrierProblems(path, trunk, trunk.kind);
  const problems = uriProblems(`${path}.uri`, trunk.uri);
  for (const key of ['signingKey', 'application'] as const)
    if (trunk[key] !== undefined) problems.push(`${path}.${wireName(key)} is for carriers over WebSockets`);
  if (/^sips:/i.test(trunk.uri) && (trunk.transport ?? 'tls') !== 'tls')
    problems.push(`${path}.transport must be tls for a sips: URI`);
  const isTls = (trunk.transport ?? uriTransport(trunk.uri)) === 'tls';
  trunk.gateways?.forEach(({ uri, transport }, j) => {
    const at = `${path}.gateways[${j}]`;
    problems.push(...uriProblems(`${at}.uri`, uri));
    const own = transport ?? uriTransport(uri);
    if (isTls && own !== null && own !== 'tls')
      problems.push(`${at}.transport must be tls, because the trunk has transport tls`);
    else if (/^sips:/i.test(uri) && own !== 'tls')
      problems.push(`${at}.transport must be tls for a sips: URI`);
  });
  problems.push(...outgoingProblems(path, trunk));
  problems.push(...rangeProblems(`${path}.media_ranges`, trunk.mediaRanges ?? []));
  if (trunk.register === true && trunk.username === undefined) {
    problems.push(`${path}.username is required when register is true`);
  }
  return problems;
}

const APIS: Readonly<Record<CarrierKind, string>> = {
  twilio: 'https://api.twilio.com',
  signalwire: 'https://example.signalwire.com',
  telnyx: 'https://api.telnyx.com',
  plivo: 'https://api.plivo.com',
  vobiz: 'https://api.vobiz.ai',
  exotel: 'https://api.in.exotel.com',
  vonage: 'https://api.nexmo.com',
  smartflo: 'https://api-smartflo.tatateleservices.com',
  acefone: 'https://api.acefone.in',
  bandwidth: 'https://voice.bandwidth.com',
  jambonz: 'https://jambonz.cloud',
  asterisk: 'https://pbx.example.com:8089',
};
type CarrierField = 'username' | 'authUsername' | 'application';
const ACCOUNT: readonly CarrierField[] = ['username'];
/** The settings of an account that each kind needs, beside its secrets. */
const NEEDED: Readonly<Record<CarrierKind, readonly CarrierField[]>> = {
  twilio: ACCOUNT,
  signalwire: ACCOUNT,
  telnyx: ['application'],
  plivo: ACCOUNT,
  vobiz: ACCOUNT,
  exotel: ['username', 'authUsername'],
  vonage: ['application'],
  smartflo: ['application'],
  acefone: ['application'],
  bandwidth: ['username', 'authUsername', 'application'],
  jambonz: ACCOUNT,
  asterisk: ACCOUNT,
};
/** The API of a carrier; a stand-in on this machine needs no TLS. */
const API = /^(https:\/\/[a-z0-9.-]+|http:\/\/(127\.0\.0\.1|localhost))(:\d{1,5})?$/;

/** Settings that concern SIP and RTP alone. */
const SIP_FIELDS = {
  gateways: 'gateways',
  register: 'register',
  transport: 'transport',
  allowedSources: 'allowed_sources',
  mediaRanges: 'media_ranges',
  srtp: 'srtp',
  codecs: 'codecs',
  headerVariables: 'header_variables',
  acceptRefer: 'accept_refer',
  joinByRefer: 'join_by_refer',
  inboundSecret: 'inbound_secret',
  outgoing: 'outgoing',
} as const satisfies Partial<Record<keyof TrunkBody, string>>;

function carrierProblems(path: string, trunk: TrunkBody, kind: CarrierKind): string[] {
  const problems: string[] = [];
  if (!API.test(trunk.uri))
    problems.push(`${path}.uri must be an https address such as ${APIS[kind]} for kind ${kind}`);
  for (const key of NEEDED[kind])
    if (trunk[key] === undefined) problems.push(`${path}.${wireName(key)} is required for kind ${kind}`);
  for (const [key, field] of Object.entries(SIP_FIELDS)) {
    const value = trunk[key as keyof typeof SIP_FIELDS];
    // As the API returns a setting that is not set.
    const isSet = Array.isArray(value)
      ? value.length > 0
      : value !== undefined && value !== false && value !== 'off';
    if (isSet) problems.push(`${path}.${field} is for kind sip`);
  }
  return problems;
}

/** Headers that the SIP stack writes itself; a second one would make the message ambiguous. */
const OWN_HEADERS: ReadonlySet<string> = new Set(
  'accept allow authorization call-id contact content-encoding content-length content-type cseq expires from max-forwards min-se p-asserted-identity proxy-authorization rack record-route replaces require route session-expires supported to via'.split(
    ' ',
  ),
);

function outgoingProblems(path: string, { outgoing = {}, username, transport, uri }: TrunkBody): string[] {
  const problems: string[] = [];
  const at = `${path}.outgoing`;
  const isNational = [outgoing.callerFormat, outgoing.calleeFormat].includes('national');
  if (isNational && outgoing.callingCode === undefined)
    problems.push(`${at}.calling_code is required for the format national`);
  if (outgoing.callerId === 'p_asserted_identity' && username === undefined)
    problems.push(`${path}.username is required for caller_id p_asserted_identity`);
  const reached = transport ?? uriTransport(uri);
  if (outgoing.udpLimit !== undefined && reached !== null && reached !== 'udp')
    problems.push(`${at}.udp_limit is for transport udp`);
  outgoing.addHeaders?.forEach(({ name }, i) => {
    if (OWN_HEADERS.has(name.toLowerCase()))
      problems.push(`${at}.add_headers[${i}].name ${name} is a header that the service writes itself`);
  });
  return problems;
}

/** An entry that matches nothing would refuse the media of every call. */
const rangeProblems = (path: string, ranges: readonly string[]): string[] =>
  ranges.flatMap((range, i) =>
    ipaddr.isValid(range) || ipaddr.isValidCIDR(range)
      ? []
      : [`${path}[${i}] must be an IP address or a CIDR range such as 203.0.113.0/24`],
  );

function uriProblems(path: string, uri: string): string[] {
  const isSip =
    /^sips?:([^@\s;?]+@)?(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?(;transport=(udp|tcp|tls))?$/i.test(uri);
  return isSip ? [] : [`${path} must be a SIP URI such as sip:sip.example.com;transport=udp`];
}
