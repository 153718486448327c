import { describe, expect, it } from 'vitest';
import { argsOf, ToolData } from './sdk-request.ts';
import type { SdkMessage } from './vendor-model.ts';

describe('argsOf', () => {
  it.each([
    ['{"day":"Friday"}', { day: 'Friday' }],
    ['', {}],
    [' \n', {}],
    ['{"day":', null],
    ['["Friday"]', null],
    ['"Friday"', null],
    ['null', null],
  ])('reads %j as %o', (input, args) => {
    expect(argsOf(input)).toEqual(args);
  });

  it('leaves out prototypes, also inside', () => {
    const args = argsOf('{"__proto__":{"admin":true},"day":{"__proto__":{"admin":true},"name":"Friday"}}');
    expect(JSON.stringify(args)).toBe('{"day":{"name":"Friday"}}');
    expect(Object.keys(Object.assign({}, args))).toEqual(['day']);
  });
});

describe('ToolData', () => {
  const call = (input: Record<string, unknown>): SdkMessage => ({
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'find_slot', input }],
  });
  const dataIn = ({ content }: SdkMessage): unknown =>
    typeof content === 'string' ? null : content[0]?.providerOptions;

  it('is sent with the same call, whose values have no marks any more', () => {
    const data = new ToolData();
    data.keep('find_slot', { day: '«Friday»' }, { google: { thoughtSignature: 'signed' } });
    const [same, other] = [call({ day: 'Friday' }), call({ day: 'Monday' })];
    data.addTo([same, other]);
    expect(dataIn(same)).toEqual({ google: { thoughtSignature: 'signed' } });
    expect(dataIn(other)).toBeUndefined();
  });
});
