import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeVendor, codedSpeech, fakeDeepgram, startFakeVendor } from '@callwright/stand-ins';
import { createRecogniser } from '../../../src/providers/choose/recognisers.ts';
import { ChainedRecogniser } from '../../../src/providers/stt/chained.ts';
import { createOfflineStt } from '../../../src/offline/recogniser/stt.ts';
import { answerVirtualCall } from '../../rigs/calls/virtual-session.ts';

let vendor: FakeVendor;
beforeAll(async () => {
  vendor = await startFakeVendor(fakeDeepgram);
});
afterAll(() => vendor.close());

// A real socket: the call takes about 5 s of real time.
it('gives every word of the caller to the model, and the reply is ready when the turn ends', async () => {
  const settings = { apiKey: 'any', baseUrl: vendor.baseUrl, model: null };
  const asked: string[] = [];
  const offline = createOfflineStt();
  const call = answerVirtualCall({
    recogniser: new ChainedRecogniser([createRecogniser({ name: 'deepgram', settings }), offline]),
    agent: { introMessage: 'Hi.' },
    llm: {
      llmMs: 200,
      replies: ['Sure.', 'For whom?', 'Done.'],
      onRequest: ({ history }) => {
        const last = history.at(-1);
        if (last?.role === 'caller') asked.push(last.text);
      },
    },
  });
  const go = call.time.pace();
  await call.hasSaid(/Hi/);
  call.person.say(codedSpeech('Book a table.', 8000));
  await call.hasSaid(/Sure/);
  // A pause of 250 ms in the turn: the reply that was prepared in it is dropped.
  const pause = new Int16Array(2_000);
  const [first, second] = [codedSpeech('It is for', 8000), codedSpeech('Sam Smith.', 8000)];
  const spoken = new Int16Array(first.length + pause.length + second.length);
  spoken.set(first);
  spoken.set(second, first.length + pause.length);
  call.person.say(spoken);
  await call.hasSaid(/For whom/);
  call.session.remoteHangup(call.time.now());
  const result = await call.result();
  go();
  expect(result.transcript.map(({ role, text }) => `${role}: ${text}`)).toEqual([
    'agent: Hi.',
    'caller: Book a table.',
    'agent: Sure.',
    'caller: It is for Sam Smith.',
    'agent: For whom?',
  ]);
  // The eager end in the pause asked for a reply, too; it was never heard.
  expect(asked.at(0)).toBe('Book a table.');
  expect(asked.at(-1)).toBe('It is for Sam Smith.');
  expect(result.latencies).toMatchObject([{ prepared: true }, { prepared: true }]);
  // The recogniser's end comes after 400 ms of silence; the model's 200 ms and the voice's 50 ms are hidden in it.
  for (const { totalMs } of result.latencies) expect(totalMs).toBeLessThan(600);
  await offline.close();
}, 180_000);
