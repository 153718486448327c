import { describe, expect, it } from 'vitest';
import { productFiles } from './sources.ts';

/** Datagrams of SIP and RTP have limits of their own, in their libraries. */
const files = productFiles()
  .filter(({ file }) => file.startsWith('src/'))
  .map(({ file, text }) => ({ file: file.slice('src/'.length), text }));

/** Messages of our own threads, and answers to requests of ours: a vendor's, a STUN server's. */
const OWN = ['shared/threads/remote.ts', 'telephony/stun.ts', 'providers/wire/socket.ts'];

const that = (holds: (text: string) => boolean): string[] =>
  files.filter(({ file, text }) => !OWN.includes(file) && holds(text)).map(({ file }) => file);

describe('the entrances of strangers', () => {
  it('receive the messages of WebSockets through their budget only', () => {
    expect(that((text) => /\.on\(\s*'message'/.test(text))).toEqual(['shared/ingress/metered-socket.ts']);
    const servers = that((text) => text.includes('new WebSocketServer('));
    expect(servers).toEqual(['chat/web/web-chats.ts', 'telephony/web/handover.ts']);
    expect(that((text) => text.includes('receiveMetered('))).toEqual([
      'chat/web/chat-connection.ts',
      'shared/ingress/metered-socket.ts',
      'telephony/web/listener-socket.ts',
      'telephony/web/web-leg.ts',
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

  it('read no body before a key or a session, unless it fits the budget of such bodies', () => {
    const parsers = that((text) => text.includes("addContentTypeParser('*'"));
    const guarded = that((text) => /\b(?:bodies|Bodies)\.guard\(/.test(text));
    expect(parsers.filter((file) => !guarded.includes(file))).toEqual([]);
    // Each scope of routes without a key or a session.
    expect(guarded).toEqual(['http/server/dashboard.ts', 'http/server/server.ts', 'http/whatsapp/routes.ts']);
  });
});
