import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { initialized, readMessage, readToolCall, speaks } from './protocol.ts';

describe('readMessage', () => {
  it.each([
    [[], 'the body must be one JSON-RPC message'],
    [undefined, 'the body must be one JSON-RPC message'],
    [{ id: 1, method: 'ping' }, 'jsonrpc must be "2.0"'],
    [{ jsonrpc: '2.0', id: 1 }, 'method must be text'],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, 'id must be text or a number'],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 'params must be an object'],
  ])('refuses %j', (body, reason) => {
    expect(readMessage(body)).toEqual({ kind: 'invalid', reason });
  });

  it('reads a request, a notification and an answer of the client', () => {
    const request = { jsonrpc: '2.0', id: 'a', method: 'ping' };
    expect(readMessage(request)).toEqual({ kind: 'request', id: 'a', method: 'ping', params: {} });
    expect(readMessage({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({ kind: 'other' });
    expect(readMessage({ jsonrpc: '2.0', id: 1, result: {} })).toEqual({ kind: 'other' });
  });

  it('throws for no JSON value', () => {
    assert(
      property(jsonValue(), (body) => {
        expect(['request', 'other', 'invalid']).toContain(readMessage(body).kind);
      }),
    );
  });
});

it('readToolCall takes a name and an object of arguments', () => {
  expect(readToolCall({ name: 'get_call' })).toEqual({ name: 'get_call', given: {} });
  expect(readToolCall({ name: 'get_call', arguments: { id: 'x' } })?.given).toEqual({ id: 'x' });
  expect(readToolCall({ name: 1 })).toBeNull();
  expect(readToolCall({ name: 'get_call', arguments: ['x'] })).toBeNull();
});

it('initialize keeps a version that the service speaks, and offers the newest instead of another', () => {
  const versionOf = (protocolVersion: string): unknown =>
    Reflect.get(initialized({ protocolVersion }, '1.0.0'), 'protocolVersion');
  expect(versionOf('2025-03-26')).toBe('2025-03-26');
  expect(versionOf('1999-01-01')).toBe('2025-11-25');
  expect([speaks(undefined), speaks('2025-06-18'), speaks('1999-01-01')]).toEqual([true, true, false]);
});
