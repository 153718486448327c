import { describe, expect, it } from 'vitest';
import { deedOf, namedObject } from './deed.ts';

const ID = '0197a2b1-0000-7000-8000-00000000abcd';
const OTHER = '0197a2b1-0000-7000-8000-00000000beef';

describe('an entry of the audit log', () => {
  it('says what somebody did, without an object where it has none', () => {
    expect(deedOf('publishDraft')).toBe('Published the assistant');
    expect(deedOf('setSubWorkspaceConcurrency')).toBe('Set how many calls the child workspace makes at once');
    expect(deedOf('endTakeOver')).toBe('Lost the right to write in the chat, so the assistant answers again');
    expect(deedOf('addDoNotCall')).toBe('Added numbers to the do-not-call list');
  });

  it('keeps an action that a later version of the service entered', () => {
    expect(deedOf('juggleKeys')).toBe('juggleKeys');
    expect(namedObject({ action: 'juggleKeys', objects: { agent_id: ID } })).toBeNull();
  });

  it('names the object that its sentence is about', () => {
    expect(namedObject({ action: 'getRecording', objects: { call_id: ID, format: 'wav' } })).toEqual({
      kind: 'call',
      field: 'call_id',
      id: ID,
    });
    expect(namedObject({ action: 'createAgent', objects: { id: ID } })?.field).toBe('id');
    expect(namedObject({ action: 'placeCall', objects: { agent_id: OTHER, call_id: ID } })?.id).toBe(ID);
    expect(namedObject({ action: 'getChat', objects: { call_id: ID } })?.kind).toBe('chat');
  });

  it('names nothing where a refused request had no object, or another text in its place', () => {
    expect(namedObject({ action: 'placeCall', objects: { agent_id: OTHER } })).toBeNull();
    expect(namedObject({ action: 'getRecording', objects: { call_id: 'x' } })).toBeNull();
    expect(namedObject({ action: 'addDoNotCall', objects: { id: ID } })).toBeNull();
  });
});
