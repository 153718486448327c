import { expect, it } from 'vitest';
import { Endpoint } from './endpoint.ts';

it('a fault in the handling of one message is logged and reaches no other call', () => {
  const logged: string[] = [];
  const ignored = (): void => undefined;
  const endpoint = new Endpoint({
    transports: {} as never,
    scheduler: {} as never,
    timing: {} as never,
    user: {
      admits: () => true,
      onRequest: () => {
        throw new Error('a fault of the test');
      },
    } as never,
    log: {
      debug: ignored,
      info: ignored,
      warn: ignored,
      error: (_fields, message) => void logged.push(message),
    },
  });
  const request = [
    'OPTIONS sip:127.0.0.1 SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK-1',
    'From: <sip:a@192.0.2.1>;tag=1',
    'To: <sip:127.0.0.1>',
    'Call-ID: 1',
    'CSeq: 1 OPTIONS',
    'Max-Forwards: 70',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
  const origin = { transport: 'udp', address: '192.0.2.1', port: 5060, connection: null } as const;
  endpoint.receive(Buffer.from(request), origin);
  expect(logged).toEqual(['a SIP message could not be handled']);
});
