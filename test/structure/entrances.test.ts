import { describe, expect, it } from 'vitest';
import { ACCESS } from '../../src/domain/access/table.ts';
import { productFiles } from './sources.ts';

/** Datagrams of SIP and RTP have limits of their own, in their libraries. */
const all = productFiles();
const files = all
  .filter(({ file }) => file.startsWith('src/'))
  .map(({ file, text }) => ({ file: file.slice('src/'.length), text }));

const textOf = (file: string): string => all.find((one) => one.file === file)?.text ?? '';
/** The positions of these texts in a file, in the order in which they are named; -1: it is not there. */
const positions = (file: string, ...texts: readonly string[]): number[] =>
  texts.map((text) => textOf(file).indexOf(text));

/** What a request of somebody without a key or a session draws from before the service works for it. */
const BUDGETS: Readonly<Record<string, string>> = {
  openWebCall: 'body',
  openWebChat: 'body',
  giveCallFeedback: 'wrong keys',
  signIn: 'body',
  createFirstOwner: 'body',
  readInvitation: 'body',
  acceptInvitation: 'body',
  usePasswordLink: 'body',
  'POST /whatsapp/webhook/:whatsapp_number_id': 'body',
  'GET /whatsapp/webhook/:whatsapp_number_id': 'no body, one look-up',
  'GET /carriers/:trunk_id/voice': 'no body, one look-up',
  'GET /carriers/:trunk_id/answer/:token': 'no body, one look-up',
  'GET /carriers/:trunk_id/transfer/:order': 'no body, one look-up',
  'POST /carriers/:trunk_id/voice': 'body',
  'POST /carriers/:trunk_id/status': 'body',
  'POST /carriers/:trunk_id/status/:attempt_id': 'body',
  'POST /carriers/:trunk_id/answer/:token': 'body',
  'POST /carriers/:trunk_id/transfer/:order': 'body',
  'WS /carrier': 'carrier',
  'WS /web-call': 'web_call',
  'WS /web-chat': 'web_chat',
  'GET /openapi.json': 'document',
  'GET /api.md': 'document',
  'GET /llms.txt': 'document',
  'GET /docs': 'document',
  'GET /metrics': 'document',
  // Answers of a few bytes, or files of the program's own; the number of connections is limited.
  'OPTIONS /api/v0/calling/webcall': 'no body',
  'OPTIONS /api/v0/chat/web': 'no body',
  'OPTIONS /api/v0/calling/:call_id/feedback': 'no body',
  getFirstRun: 'no body, one look-up',
  getRecording: 'signed link',
  getCampaignRejects: 'signed link',
  'GET /voices/:voice_id/preview/:file': 'a file of the program',
  'GET /voices/:voice_id/image.svg': 'a file of the program',
  'GET /': 'a file of the program',
  'GET /*': 'a file of the program',
  'GET /healthz': 'no body',
  'GET /readyz': 'no body',
};

/** Messages of our own threads, and answers to requests of ours: a vendor's, a STUN server's. */
const OWN = ['shared/threads/remote.ts', 'telephony/stun.ts', 'providers/wire/socket.ts'];

const that = (holds: (text: string) => boolean): string[] =>
  files.filter(({ file, text }) => !OWN.includes(file) && holds(text)).map(({ file }) => file);

describe('the entrances of strangers', () => {
  it('receive the messages of WebSockets through their budget only', () => {
    expect(that((text) => /\.on\(\s*'message'/.test(text))).toEqual([
      // A UDP socket on loopback, of a rehearsal that a member starts.
      'rehearsal/sound/caller-phone.ts',
      'shared/ingress/metered-socket.ts',
    ]);
    const servers = that((text) => text.includes('new WebSocketServer('));
    expect(servers).toEqual(['chat/web/web-chats.ts', 'telephony/web/handover.ts']);
    expect(that((text) => text.includes('receiveMetered('))).toEqual([
      'chat/web/chat-connection.ts',
      'shared/ingress/metered-socket.ts',
      'telephony/web/call-socket.ts',
      'telephony/web/listener-socket.ts',
    ]);
  });

  it('take upgrades from a budget before they look at the token', () => {
    const upgrades = that((text) => /\.on\(\s*'upgrade'/.test(text));
    expect(upgrades).toEqual(['app/web-sockets.ts']);
    const [file] = files.filter(({ file: name }) => name === upgrades[0]);
    const [admit, look] = ['.admit(', 'tokenOf(request'].map((call) => file?.text.indexOf(call) ?? -1);
    expect(admit).toBeGreaterThan(0);
    expect(look).toBeGreaterThan(admit ?? Infinity);
  });

  it('take connections of AudioSocket from the budget of carriers before they read a byte', () => {
    const servers = that(
      (text) => text.includes("from 'node:net'") && /\bcreateServer\(\(?socket\)? =>/.test(text),
    );
    // That of the settings' check closes each connection at once.
    expect(servers).toEqual(['app/audio-socket.ts', 'app/start-failure.ts']);
    const [admit = -1, read = -1] = positions('src/app/audio-socket.ts', '.admit(', '.read(');
    expect(admit).toBeGreaterThan(0);
    expect(read).toBeGreaterThan(admit);
    expect(that((text) => text.includes("connectionBudget('carrier'"))).toEqual(['app/http-api.ts']);
    expect(that((text) => text.includes('adoptFramed('))).toEqual([
      'telephony/carriers/audiosocket/framed-socket.ts',
      'workers/web-connections.ts',
    ]);
  });

  it('name the budget of every route that needs neither key nor session', () => {
    const open = [...ACCESS].filter(([, access]) => access.open !== null).map(([name]) => name);
    expect(open.filter((name) => BUDGETS[name] === undefined)).toEqual([]);
    expect(Object.keys(BUDGETS).filter((name) => !open.includes(name))).toEqual([]);
    const limited = [...textOf('src/http/pages/documents.ts').matchAll(/'(\/[\w./]+)'/g)].map(
      ([, path]) => path,
    );
    const documents = Object.keys(BUDGETS).filter((name) => BUDGETS[name] === 'document');
    const isLimited = (name: string): boolean =>
      limited.some((path) => path?.startsWith(name.slice('GET '.length)) === true);
    expect(documents.filter((name) => !isLimited(name))).toEqual([]);
  });

  it('read the body of an INFO only within the budget of its call', () => {
    const readers = all.filter(({ text }) => /\bdtmfOfInfo\((?!request: SipRequest)/.test(text));
    expect(readers.map(({ file }) => file)).toEqual(['packages/sip/src/call-dialog.ts']);
    const [take = -1, read = -1] = positions(
      'packages/sip/src/call-dialog.ts',
      '.takesInfo(',
      'dtmfOfInfo(request)',
    );
    expect(take).toBeGreaterThan(0);
    expect(read).toBeGreaterThan(take);
    expect(that((text) => /takesInfo: .*\.admit\(/.test(text))).toEqual(['telephony/trunks/guard.ts']);
  });

  it('begin event streams through their places only, which draw from a budget first', () => {
    const streams = that((text) => /\bstreamEvents\(\n/.test(text) || /await streamEvents\(/.test(text));
    expect(streams).toEqual([
      'http/live/event-stream.ts',
      'http/live/routes.ts',
      'http/live/wall-routes.ts',
      'http/overview/routes.ts',
    ]);
    const places = that((text) => /\bstreams\.within\(/.test(text));
    expect(places).toEqual(streams.slice(1));
    const live = [...ACCESS].filter(([, access]) => access.live === 'stream');
    expect(live).toHaveLength(places.length);
    const [admit = -1, take = -1] = positions('src/http/live/stream-places.ts', '.admit(', '.tryTake(');
    expect(admit).toBeGreaterThan(0);
    expect(take).toBeGreaterThan(admit);
  });

  it('read no body before a key or a session, unless it fits the budget of such bodies', () => {
    const parsers = that((text) => text.includes("addContentTypeParser('*'"));
    const guarded = that((text) => /\b(?:bodies|Bodies)\.guard\(/.test(text));
    expect(parsers.filter((file) => !guarded.includes(file))).toEqual([]);
    // Each scope of routes without a key or a session.
    expect(guarded).toEqual([
      'http/carriers/routes.ts',
      'http/server/dashboard.ts',
      'http/server/server.ts',
      'http/whatsapp/routes.ts',
    ]);
  });
});
