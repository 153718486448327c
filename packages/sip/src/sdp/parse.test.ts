import { describe, expect, it } from 'vitest';
import { parseConnection, parseSdp } from './parse.ts';
import { MAX_SDP_LENGTH } from './session-description.ts';

const TYPICAL = [
  'v=0',
  'o=alice 2890844526 2890844527 IN IP4 192.0.2.10',
  's= ',
  'i=a talk',
  'c=IN IP4 192.0.2.10',
  'b=AS:64',
  't=0 0',
  'a=tool:x',
  'm=audio 49170 RTP/AVP 0 8 101',
  'a=rtpmap:101 telephone-event/8000',
  'a=sendonly',
  'm=video 51372/2 RTP/AVP 99',
  'c=IN IP6 2001:db8::1',
  '',
].join('\r\n');

describe('parseSdp', () => {
  it('parses session and media lines, with the session address as default', () => {
    const result = parseSdp(TYPICAL);
    expect(result).toMatchObject({
      ok: true,
      sdp: {
        origin: { username: 'alice', sessionVersion: '2890844527' },
        address: '192.0.2.10',
        attributes: [{ name: 'tool', value: 'x' }],
        media: [
          {
            kind: 'audio',
            port: 49170,
            formats: ['0', '8', '101'],
            address: '192.0.2.10',
            attributes: [
              { name: 'rtpmap', value: '101 telephone-event/8000' },
              { name: 'sendonly', value: null },
            ],
          },
          { kind: 'video', port: 51372, address: '2001:db8::1' },
        ],
      },
    });
    expect(parseSdp(TYPICAL.replaceAll('\r\n', '\n'))).toEqual(result);
  });

  it.each([
    ['', 'does not start with v=0'],
    ['v=1\r\n', 'does not start with v=0'],
    ['v=0\r\nnonsense', 'line without a type'],
    ['v=0\r\nm=audio 5000 RTP/AVP', 'bad media line'],
    ['v=0\r\nm=audio 70000 RTP/AVP 0', 'bad media line'],
    ['v=0\r\nm=audio -1 RTP/AVP 0', 'bad media line'],
    ['v=0\r\nm=audio 5000 RTP/AVP \u00e9', 'bad media line'],
    [`v=0\r\na=${'x'.repeat(2000)}`, 'line too long'],
    [`v=0\r\n${'a=x\r\n'.repeat(200)}`, 'too many attributes'],
    [`v=0\r\n${'b=x\r\n'.repeat(600)}`, 'too many lines'],
    [`v=0\r\n${'m=audio 1 RTP/AVP 0\r\n'.repeat(17)}`, 'too many media lines'],
    [`v=0\r\n${' '.repeat(MAX_SDP_LENGTH)}`, 'too long'],
  ])('refuses %j', (text, reason) => {
    expect(parseSdp(text)).toEqual({ ok: false, reason });
  });

  it.each([
    ['IN IP4 192.0.2.1', '192.0.2.1'],
    ['IN IP4 224.2.1.1/127', '224.2.1.1'],
    ['IN IP6 2001:db8::1', '2001:db8::1'],
    ['IN IP6 fe80::1%eth0', null],
    ['IN IP4 2001:db8::1', null],
    ['IN IP4 host.example', null],
    ['IN IP4', null],
    ['ATM NSAP 47.0091', null],
  ])('reads the connection %j as %j', (value, address) => {
    expect(parseConnection(value)).toBe(address);
  });
});
