import type { Answer, Input } from '../../api/client.ts';
import type { TrunkKind } from './carriers.ts';
import { linesOf } from '../../ui/lines.ts';

export type InstalledTrunk = Answer<'listTrunkSettings'>['trunks'][number];
type Settings = InstalledTrunk['settings'];
export type TrunkInput = Input<'saveTrunk'>;
type Outgoing = NonNullable<Settings['outgoing']>;

/** The texts of the form of a trunk; an empty text leaves its setting out. */
export interface TrunkValues {
  readonly name: string;
  readonly kind: TrunkKind;
  readonly uri: string;
  readonly transport: string;
  readonly srtp: string;
  readonly codecs: string;
  readonly gateways: string;
  readonly username: string;
  readonly authUsername: string;
  /** Empty: the stored one stays. */
  readonly password: string;
  /** Empty: the stored one stays. */
  readonly signingKey: string;
  readonly application: string;
  readonly isRegistered: boolean;
  readonly isEnabled: boolean;
  readonly acceptsRefer: boolean;
  readonly joinsByRefer: boolean;
  readonly maxCalls: string;
  readonly callsPerSecond: string;
  readonly allowedSources: string;
  readonly mediaRanges: string;
  readonly secretHeader: string;
  /** Empty: the stored one stays, unless the header is empty, too. */
  readonly secret: string;
  readonly fromDomain: string;
  readonly callerId: string;
  readonly callerFormat: string;
  readonly calleeFormat: string;
  readonly calleePrefix: string;
  readonly callingCode: string;
  readonly udpLimit: string;
  readonly dtmf: string;
  readonly headers: string;
}

/** Codecs in the order of offers, and what the form calls them. */
const CODEC_CHOICES: readonly (readonly [string, string])[] = [
  ['', 'PCMU, then PCMA'],
  ['pcmu pcma', 'PCMU and PCMA'],
  ['pcma pcmu', 'PCMA, then PCMU'],
  ['pcma', 'PCMA only'],
  ['pcmu', 'PCMU only'],
  ['g722 pcmu pcma', 'G.722 (wideband), then PCMU and PCMA'],
  ['g722 pcma pcmu', 'G.722 (wideband), then PCMA and PCMU'],
  ['g722', 'G.722 (wideband) only'],
  ['opus g722 pcmu pcma', 'Opus, then G.722 (wideband), PCMU and PCMA'],
  ['opus pcmu pcma', 'Opus (wideband), then PCMU and PCMA'],
];

/** The choices of codecs, and the trunk's own order where they lack it. */
export const codecChoices = (own: string): typeof CODEC_CHOICES =>
  CODEC_CHOICES.some(([value]) => value === own)
    ? CODEC_CHOICES
    : [...CODEC_CHOICES, [own, own.toUpperCase().replaceAll(' ', ', then ')]];

const NONE: Settings = { uri: '' };

/** The form of a trunk; without one, that of a new trunk. */
export function valuesOf(trunk: InstalledTrunk | null): TrunkValues {
  const settings = trunk?.settings ?? NONE;
  const { outgoing = {} } = settings;
  const text = (value: string | number | undefined): string => (value === undefined ? '' : String(value));
  return {
    name: trunk?.name ?? '',
    kind: settings.kind ?? 'sip',
    uri: settings.uri,
    transport: settings.transport ?? '',
    srtp: settings.srtp ?? 'off',
    codecs: settings.codecs?.join(' ') ?? '',
    gateways: (settings.gateways ?? [])
      .map(({ uri, priority = 0, weight = 1, transport }) =>
        [uri, priority, weight, ...(transport === undefined ? [] : [transport])].join(' '),
      )
      .join('\n'),
    username: text(settings.username),
    authUsername: text(settings.auth_username),
    password: '',
    signingKey: '',
    application: text(settings.application),
    isRegistered: settings.register ?? false,
    isEnabled: settings.enabled ?? true,
    acceptsRefer: settings.accept_refer ?? false,
    joinsByRefer: settings.join_by_refer ?? false,
    maxCalls: text(settings.max_calls),
    callsPerSecond: text(settings.calls_per_second),
    allowedSources: (settings.allowed_sources ?? []).join('\n'),
    mediaRanges: (settings.media_ranges ?? []).join('\n'),
    secretHeader: trunk?.secret_header ?? '',
    secret: '',
    fromDomain: text(outgoing.from_domain),
    callerId: outgoing.caller_id ?? 'from',
    callerFormat: outgoing.caller_format ?? 'e164',
    calleeFormat: outgoing.callee_format ?? 'e164',
    calleePrefix: text(outgoing.callee_prefix),
    callingCode: text(outgoing.calling_code),
    udpLimit: text(outgoing.udp_limit),
    dtmf: outgoing.dtmf ?? 'tones',
    headers: (outgoing.add_headers ?? []).map(({ name, value }) => `${name}: ${value}`).join('\n'),
  };
}

/** The request that stores the form. Settings of the trunk that the form does not show stay. The server checks values. */
export function inputOf(values: TrunkValues, trunk: InstalledTrunk | null): TrunkInput {
  if (values.kind !== 'sip') return carrierInput(values, values.kind);
  const before = trunk?.settings ?? NONE;
  const outgoing: Outgoing = {
    ...(before.outgoing?.remove_headers === undefined
      ? {}
      : { remove_headers: before.outgoing.remove_headers }),
    ...(before.outgoing?.route === undefined ? {} : { route: before.outgoing.route }),
    ...given('from_domain', values.fromDomain),
    ...(values.callerId === 'from' ? {} : { caller_id: values.callerId as Outgoing['caller_id'] & string }),
    ...(values.callerFormat === 'e164' ? {} : { caller_format: values.callerFormat as NumberFormat }),
    ...(values.calleeFormat === 'e164' ? {} : { callee_format: values.calleeFormat as NumberFormat }),
    ...given('callee_prefix', values.calleePrefix),
    ...given('calling_code', values.callingCode),
    ...figure('udp_limit', values.udpLimit),
    ...(values.dtmf === 'tones' ? {} : { dtmf: values.dtmf as Outgoing['dtmf'] & string }),
    ...(linesOf(values.headers).length === 0 ? {} : { add_headers: linesOf(values.headers).map(headerOf) }),
  };
  return {
    trunk_name: values.name.trim(),
    uri: values.uri.trim(),
    ...(values.transport === '' ? {} : { transport: values.transport as NonNullable<Settings['transport']> }),
    srtp: values.srtp as NonNullable<Settings['srtp']>,
    ...(values.codecs === '' ? {} : { codecs: values.codecs.split(' ') as NonNullable<Settings['codecs']> }),
    gateways: linesOf(values.gateways).map(gatewayOf),
    ...given('username', values.username),
    ...given('auth_username', values.authUsername),
    ...given('password', values.password),
    register: values.isRegistered,
    enabled: values.isEnabled,
    ...figure('max_calls', values.maxCalls),
    ...figure('calls_per_second', values.callsPerSecond),
    ...(before.max_inbound_calls === undefined ? {} : { max_inbound_calls: before.max_inbound_calls }),
    ...(before.inbound_calls_per_second === undefined
      ? {}
      : { inbound_calls_per_second: before.inbound_calls_per_second }),
    ...(before.header_variables === undefined ? {} : { header_variables: before.header_variables }),
    ...(values.acceptsRefer || before.accept_refer !== undefined
      ? { accept_refer: values.acceptsRefer }
      : {}),
    ...(values.joinsByRefer || before.join_by_refer !== undefined
      ? { join_by_refer: values.joinsByRefer }
      : {}),
    allowed_sources: linesOf(values.allowedSources),
    media_ranges: linesOf(values.mediaRanges),
    ...secretOf(values, trunk),
    ...(Object.keys(outgoing).length === 0 ? {} : { outgoing }),
  };
}

/** That of a carrier over WebSockets, which has no settings of SIP. */
const carrierInput = (values: TrunkValues, kind: TrunkKind): TrunkInput => ({
  trunk_name: values.name.trim(),
  kind,
  uri: values.uri.trim(),
  ...given('username', values.username),
  ...given('auth_username', values.authUsername),
  ...given('password', values.password),
  ...given('signing_key', values.signingKey),
  ...given('application', values.application),
  enabled: values.isEnabled,
  ...figure('max_calls', values.maxCalls),
  ...figure('calls_per_second', values.callsPerSecond),
});

/** An empty header removes the stored secret. */
function secretOf(values: TrunkValues, trunk: InstalledTrunk | null): Pick<TrunkInput, 'inbound_secret'> {
  const header = values.secretHeader.trim();
  const stored = trunk?.secret_header ?? null;
  if (header === '') return stored === null ? {} : { inbound_secret: { header: stored, value: '' } };
  return values.secret === '' ? {} : { inbound_secret: { header, value: values.secret } };
}

type NumberFormat = NonNullable<Outgoing['callee_format']>;
type Gateway = NonNullable<TrunkInput['gateways']>[number];

const given = <K extends string>(key: K, text: string): Partial<Record<K, string>> =>
  text.trim() === '' ? {} : ({ [key]: text.trim() } as Record<K, string>);
const figure = <K extends string>(key: K, text: string): Partial<Record<K, number>> =>
  text.trim() === '' ? {} : ({ [key]: Number(text) } as Record<K, number>);

/** `sip:192.0.2.10 0 3 tcp`: address, priority, weight, transport. */
function gatewayOf(line: string): Gateway {
  const [uri = '', priority = '0', weight = '1', transport] = line.split(/\s+/);
  return {
    uri,
    priority: Number(priority),
    weight: Number(weight),
    ...(transport === undefined ? {} : { transport: transport as NonNullable<Gateway['transport']> }),
  };
}

function headerOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':');
  return colon === -1
    ? { name: line, value: '' }
    : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
}
