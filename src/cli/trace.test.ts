import { expect, it } from 'vitest';
import { traceLines, type TracedCall } from './trace.ts';

const step = (ms: number, direction: 'in' | 'out', message: string, note = '') => ({
  at: new Date(Date.UTC(2026, 0, 5, 10) + ms).toISOString(),
  direction,
  message,
  note,
});
const call: TracedCall = {
  attempts: [
    { attempt_number: 1, sip_call_id: null, sip_messages: [] },
    {
      attempt_number: 2,
      sip_call_id: 'a84b4c76',
      sip_messages: [
        step(0, 'out', 'INVITE'),
        step(42, 'in', '100 INVITE', 'Trying'),
        step(6200, 'in', '486 INVITE', 'Busy Here; reason: Q.850;cause=17'),
      ],
    },
  ],
  network: {
    codec: 'PCMU',
    mos_received: 4.38,
    mos_received_lowest: 3.99,
    mos_sent: null,
    mos_sent_lowest: null,
  },
};

it('draws each attempt with messages as a ladder, then the quality of the audio', () => {
  expect(traceLines(call)).toEqual([
    'Attempt 2, Call-ID a84b4c76, from 2026-01-05T10:00:00.000Z',
    '  seconds  Callwright      Far side',
    '    0.000  - INVITE ------------->',
    '    0.042  <- 100 INVITE ---------  Trying',
    '    6.200  <- 486 INVITE ---------  Busy Here; reason: Q.850;cause=17',
    '',
    'Audio PCMU',
    '  MOS here              4.38 on average, 3.99 at the worst',
    '  MOS at the far side   not measured',
  ]);
});

it('leaves out the quality of a call without RTP', () => {
  expect(traceLines({ ...call, network: null }).at(-1)).toContain('486 INVITE');
});

it('names the reasons for which a call has no messages', () => {
  expect(traceLines({ attempts: [], network: null })).toEqual([
    'No SIP messages: the call is live, came from a browser, or they were erased.',
  ]);
});
