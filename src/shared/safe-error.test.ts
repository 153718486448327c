import { describe, expect, it } from 'vitest';
import { safeError, safeText } from './safe-error.ts';

describe('safeText', () => {
  it.each([
    ['call to +14155559317 failed', 'call to +1*** failed'],
    ['sip:14155559317@carrier', 'sip:14***@carrier'],
    ['postgres://user:secret@db:5432/x is away', 'postgres://***@db:5432/x is away'],
    ['GET https://x.test/hook?token=secret answered 500', 'GET https://x.test/hook?*** answered 500'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED 127.0.0.1:5432'],
    ['ENOSPC: no space left on device, write', 'ENOSPC: no space left on device, write'],
  ])('%j is logged as %j', (text, logged) => {
    expect(safeText(text)).toBe(logged);
  });
});

describe('safeError', () => {
  it('omits the values that a database rejected', () => {
    const refused = Object.assign(new Error('duplicate key: Key (name)=(Zebulon)'), {
      severity: 'ERROR',
      routine: '_bt_check_unique',
      code: '23505',
      detail: 'Key (name)=(Zebulon) already exists.',
      table: 'calls',
      constraint: 'calls_pkey',
    });
    const logged = safeError(refused);
    expect(logged).toMatchObject({ code: '23505', message: 'the database refused it: calls calls_pkey' });
    expect(JSON.stringify(logged)).not.toContain('Zebulon');
    expect(logged.stack).toContain('safe-error.test');
  });

  it('includes a bounded number of causes and accepts non-errors', () => {
    const endless = new Error('to +14155559317');
    endless.cause = endless;
    const logged = JSON.stringify(safeError(endless));
    expect(logged.split('"cause"')).toHaveLength(4);
    expect(logged).not.toContain('4155559317');
    expect(safeError('at +14155559317')).toEqual({ type: 'string', message: 'at +1***' });
    expect(safeError(undefined)).toEqual({ type: 'undefined', message: 'undefined' });
  });

  it('omits the input of a parser', () => {
    const refused = ((): unknown => {
      try {
        return JSON.parse('Caller Zebulon wants a refund');
      } catch (error) {
        return error;
      }
    })();
    expect(String(refused)).toContain('Zeb');
    const logged = safeError(new Error('the model cannot be used', { cause: refused }));
    expect(logged.cause).toMatchObject({ type: 'SyntaxError', message: 'text that does not parse' });
    expect(JSON.stringify(logged)).not.toContain('Zeb');
  });
});
