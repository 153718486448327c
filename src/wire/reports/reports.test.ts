import { expect, it } from 'vitest';
import { callCells, callsHead, variablesOf } from './calls.ts';
import { messageCells, messagesHead } from './messages.ts';

const at = new Date('2026-03-02T10:00:00.000Z');
const args = { mobile_number: '+14155550142', callee_name: 'Priya', result: 'mine', balance: '40' };

it('a report of calls has its columns in order, then the variables of the list', () => {
  const variables = variablesOf(args);
  const cells = callCells(
    {
      id: 'call',
      contactRow: 7,
      toNumber: '+14155550142',
      calleeName: 'Priya',
      args,
      fromNumber: '+14155550100',
      status: 'completed',
      subStatus: 'USER_LEFT',
      attempt: 2,
      retries: 1,
      nextAttemptAt: null,
      dialedAt: at,
      answeredAt: at,
      endedAt: at,
      durationMs: 42_500,
      credits: 1.5,
      hangupBy: 'caller',
      recordingUrl: 'https://a.example/r',
      result: 'Interested',
    },
    variables,
  );
  const head = callsHead(variables);
  expect(head.map((name, index) => `${name}: ${cells[index]}`)).toEqual([
    'row: 7',
    'mobile_number: +14155550142',
    'callee_name: Priya',
    'result: Interested',
    'call_id: call',
    'call_status: completed',
    'call_sub_status: USER_LEFT',
    'attempts: 2',
    'retry_count: 1',
    'from_number: +14155550100',
    'last_dialed_at: 2026-03-02T10:00:00.000Z',
    'answered_at: 2026-03-02T10:00:00.000Z',
    'ended_at: 2026-03-02T10:00:00.000Z',
    'next_attempt_at: ',
    'call_duration: 42.5',
    'call_cost: 1.5',
    'hangup_by: caller',
    'recording_url: https://a.example/r',
    'balance: 40',
    'variable_result: mine',
  ]);
  expect(cells).toHaveLength(head.length);
});

it('a report of messages has its columns in order, then the variables of the list', () => {
  const cells = messageCells(
    {
      id: 'message',
      row: 7,
      toNumber: '+14155550142',
      calleeName: 'Priya',
      args,
      status: 'retry',
      subStatus: 'FAILED',
      state: 'failed',
      errorCode: 131_026,
      attempt: 1,
      retriesUsed: 1,
      fromNumber: '+14155550100',
      sentAt: at,
      deliveredAt: null,
      readAt: null,
      answeredAt: null,
      endedAt: null,
      nextAttemptAt: at,
      chatId: null,
    } as never,
    ['balance'],
  );
  const head = messagesHead(['balance']);
  expect(head.map((name, index) => `${name}: ${cells[index]}`)).toEqual([
    'row: 7',
    'mobile_number: +14155550142',
    'callee_name: Priya',
    'message_id: message',
    'message_status: retry',
    'message_sub_status: FAILED',
    'delivery_status: failed',
    'error_code: 131026',
    'attempts: 1',
    'retry_count: 1',
    'from_number: +14155550100',
    'sent_at: 2026-03-02T10:00:00.000Z',
    'delivered_at: ',
    'read_at: ',
    'answered_at: ',
    'ended_at: ',
    'next_attempt_at: 2026-03-02T10:00:00.000Z',
    'chat_id: ',
    'balance: 40',
  ]);
  expect(cells).toHaveLength(head.length);
});
