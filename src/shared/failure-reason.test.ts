import { describe, expect, it } from 'vitest';
import { LOST } from '@callwright/sip';
import {
  FAILURE_CODES,
  failureReason,
  queuedFailure,
  storedFailure,
  unansweredCode,
} from './failure-reason.ts';

describe('the reason of a failure', () => {
  it('has a sentence for every code that is more than a code', () => {
    const messages = FAILURE_CODES.map((code) => failureReason(code).message);
    expect(new Set(messages).size).toBe(FAILURE_CODES.length);
    for (const message of messages) expect(message).toMatch(/^[A-Z].{30,}\.$/);
  });

  it('repeats the words of the far side without the numbers in them', () => {
    const { message } = failureReason('CARRIER_REFUSED', '503 no route to 14155550123');
    expect(message).toBe(
      'The carrier refused the call. See sip_messages of the attempt, and ask the carrier. (503 no route to …)',
    );
  });

  it('knows each failure of an INVITE without a response by a code of its own', () => {
    const codes = Object.values(LOST).map((reason) => unansweredCode({ reason, sipCode: null }));
    expect(codes).toEqual(['TRUNK_SILENT', 'TRUNK_UNREACHABLE', 'DIAL_TOO_LATE', 'TRUNK_NOT_FOUND']);
  });

  it('tells a refusal by the carrier from a missing audio format and from an end without a response', () => {
    expect(unansweredCode({ reason: 'Service Unavailable', sipCode: 503 })).toBe('CARRIER_REFUSED');
    expect(unansweredCode({ reason: 'the codecs differ', sipCode: 488 })).toBe('MEDIA_REFUSED');
    expect(unansweredCode({ reason: 'something new', sipCode: null })).toBe('SIGNALLING_FAILED');
  });

  it('is read back from a stored attempt, and is null for attempts of earlier versions', () => {
    const refused = { failureCode: 'CARRIER_REFUSED', reason: 'Service Unavailable', sipCode: 503 };
    expect(storedFailure(refused)?.message).toMatch(/\(503 Service Unavailable\)$/);
    const mute = failureReason('VOICE_FAILED', 'flite exited with an error');
    expect(storedFailure({ failureCode: mute.code, reason: mute.message, sipCode: 200 })).toEqual(mute);
    expect(storedFailure({ failureCode: null, reason: 'FAILED', sipCode: null })).toBeNull();
  });

  it('says why a call ended in the queue', () => {
    expect(queuedFailure('FAILED')?.code).toBe('AGENT_VERSION_MISSING');
    expect(queuedFailure('INSUFFICIENT_BALANCE')?.code).toBe('INSUFFICIENT_BALANCE');
    expect(queuedFailure('NOT_ABLE_TO_CALL')?.code).toBe('DESTINATION_CLOSED');
    expect(queuedFailure('USER_TERMINATED')).toBeNull();
  });
});
