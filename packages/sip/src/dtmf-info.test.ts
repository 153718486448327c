import { describe, expect, it } from 'vitest';
import { dial, inDialog } from '../test/virtual-call.ts';
import { dtmfOfInfo } from './dtmf-info.ts';

describe('a SIP INFO request', () => {
  it('reads a key from SIP INFO', () => {
    const call = dial();
    const info = (type: string, body: string) =>
      dtmfOfInfo(
        inDialog(call.last('INVITE'), 'INFO', 2, { headers: [{ name: 'content-type', value: type }], body }),
      );
    expect(info('application/dtmf-relay', 'Signal=7\r\nDuration=160\r\n')).toBe('7');
    expect(info('application/dtmf-relay', 'Signal=11\r\n')).toBe('#');
    expect(info('application/dtmf', '*')).toBe('*');
    expect(info('text/plain', '5')).toBe(null);
  });
});
