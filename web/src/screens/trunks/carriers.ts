import type { Trunk } from '../../parts/trunk-health.tsx';

export type TrunkKind = Exclude<Trunk['kind'], 'test'>;

/** Names of the kinds of trunks; docs/carriers.md has a page for each but SIP. */
export const KIND_NAMES: Readonly<Record<Trunk['kind'], string>> = {
  sip: 'SIP',
  twilio: 'Twilio Media Streams',
  signalwire: 'SignalWire streams',
  telnyx: 'Telnyx media streaming',
  plivo: 'Plivo audio streaming',
  vobiz: 'Vobiz audio streaming',
  exotel: 'Exotel AgentStream',
  vonage: 'Vonage WebSockets',
  smartflo: 'Tata Smartflo voice streaming',
  acefone: 'Acefone voice streaming',
  bandwidth: 'Bandwidth streams',
  jambonz: 'jambonz listen',
  asterisk: 'Asterisk WebSocket channel',
  test: 'Built-in test carrier',
};

/** What a carrier calls the settings of its account; absent: it has no such setting. */
export interface AccountLabels {
  readonly uri: string;
  readonly username?: string;
  readonly authUsername?: string;
  readonly password: string;
  readonly signingKey?: string;
  readonly application?: string;
}

const MADE_UP = 'Secret of its requests, made up by you';

export const ACCOUNT_LABELS: Readonly<Record<Exclude<TrunkKind, 'sip'>, AccountLabels>> = {
  twilio: { uri: 'https://api.twilio.com', username: 'Account SID', password: 'Auth token' },
  signalwire: {
    uri: 'https://example.signalwire.com',
    username: 'Project id',
    password: 'API token',
    signingKey: 'Signing key',
  },
  telnyx: {
    uri: 'https://api.telnyx.com',
    password: 'API key',
    signingKey: 'Public key',
    application: 'Id of the Voice API application',
  },
  plivo: { uri: 'https://api.plivo.com', username: 'Auth id', password: 'Auth token' },
  vobiz: { uri: 'https://api.vobiz.ai', username: 'Auth id', password: 'Auth token' },
  exotel: {
    uri: 'https://api.in.exotel.com',
    username: 'Account SID',
    authUsername: 'API key',
    password: 'API token',
    signingKey: MADE_UP,
  },
  vonage: {
    uri: 'https://api.nexmo.com',
    password: 'Private key of the application',
    signingKey: 'Signature secret',
    application: 'Application id',
  },
  smartflo: {
    uri: 'https://api-smartflo.tatateleservices.com',
    password: 'API token',
    signingKey: MADE_UP,
    application: 'Click-to-call key',
  },
  acefone: {
    uri: 'https://api.acefone.in',
    password: 'API token',
    signingKey: MADE_UP,
    application: 'Click-to-call key',
  },
  bandwidth: {
    uri: 'https://voice.bandwidth.com',
    username: 'Account id',
    authUsername: 'Client id',
    password: 'Client secret',
    signingKey: MADE_UP,
    application: 'Application id',
  },
  jambonz: {
    uri: 'https://jambonz.cloud',
    username: 'Account SID',
    password: 'API key',
    signingKey: 'Webhook secret',
    application: 'Application, if calls need one',
  },
  asterisk: {
    uri: 'https://pbx.example.com:8089',
    username: 'ARI user',
    password: 'Password of the ARI user',
    signingKey: MADE_UP,
    application: 'Context of outbound calls',
  },
};

export const CARRIER_KINDS = Object.keys(ACCOUNT_LABELS) as (keyof typeof ACCOUNT_LABELS)[];
