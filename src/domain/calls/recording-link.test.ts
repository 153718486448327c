import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecordingToken, recordingToken, recordingUrl } from './recording-link.ts';

describe('recording links', () => {
  it('name the call they were made for', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.string(), (workspaceId, callId, secret) => {
        const token = recordingToken(secret, workspaceId, callId);
        expect(token).toHaveLength(64);
        expect(readRecordingToken(secret, token)).toEqual({ workspaceId, callId });
        expect(readRecordingToken(`${secret}x`, token)).toBeNull();
        const own = recordingToken(secret, workspaceId, callId, 2);
        expect(readRecordingToken(secret, own, 2)).toEqual({ workspaceId, callId });
        const others = [readRecordingToken(secret, own), readRecordingToken(secret, own, 1)];
        expect([...others, readRecordingToken(secret, token, 2)]).toEqual([null, null, null]);
      }),
    );
  });

  it('do not survive a change of one character', () => {
    const token = recordingToken(
      's',
      '01900000-0000-7000-8000-000000000001',
      '01900000-0000-7000-8000-000000000002',
    );
    for (let i = 0; i < token.length; i += 1) {
      const other = token[i] === 'A' ? 'B' : 'A';
      expect(readRecordingToken('s', token.slice(0, i) + other + token.slice(i + 1))).toBeNull();
    }
  });

  it('refuse anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readRecordingToken('s', text)).toBeNull();
      }),
    );
  });

  it('are absolute addresses', () => {
    const url = recordingUrl(
      { publicUrl: 'https://x.example', secret: 's' },
      crypto.randomUUID(),
      crypto.randomUUID(),
    );
    expect(url).toMatch(/^https:\/\/x\.example\/recordings\/[\w-]{64}\.wav$/);
  });
});
