import { describe, expect, it } from 'vitest';
import { objectWords, operationWords } from './operation-words.ts';

describe('an entry of the audit log', () => {
  it('says what somebody did', () => {
    expect(operationWords('listenToCall')).toBe('Listened to call');
    expect(operationWords('editAgent')).toBe('Changed assistant');
    expect(operationWords('invite')).toBe('Invited a colleague');
    expect(operationWords('addDoNotCall')).toBe('Added do not call');
  });

  it('keeps a verb that it does not know', () => {
    expect(operationWords('juggleKeys')).toBe('Juggle keys');
  });

  it('names what it was done to', () => {
    expect(objectWords('agent_id')).toBe('assistant');
    expect(objectWords('member_ids')).toBe('member');
    expect(objectWords('operation')).toBe('operation');
  });
});
