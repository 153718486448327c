import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FakeVendor, fakeAnthropic, fakeGoogle, startFakeVendor } from '@callwright/stand-ins';
import { createFakeLlm } from '../../../src/offline/scripted/llm.ts';
import { ChainedModel } from '../../../src/providers/llm/chained.ts';
import { openModel } from '../../../src/providers/choose/models.ts';
import { VendorHealth } from '../../../src/providers/wire/health.ts';
import { answerVirtualCall } from '../../rigs/calls/virtual-session.ts';

let first: FakeVendor;
let second: FakeVendor;
beforeAll(async () => {
  const replies = [
    { after: 'table', text: 'For which day?' },
    { after: 'Friday', text: 'Two are free.' },
    { after: 'seven', text: 'Not heard.' },
  ];
  [first, second] = await Promise.all([
    startFakeVendor(fakeAnthropic, { settings: { replies } }),
    startFakeVendor(fakeGoogle, { settings: { replies } }),
  ]);
});
afterAll(() => Promise.all([first.close(), second.close()]));

const KEY = 'sk-secret-1234';

// Real sockets: the call takes about 12 s of real time.
it('goes on with the next model, fills the wait for slow ones, and names who failed', async () => {
  const models = [
    openModel({ vendor: 'anthropic', key: KEY, baseUrl: first.baseUrl, model: 'one' }),
    openModel({ vendor: 'google', key: KEY, baseUrl: second.baseUrl, model: 'two' }),
  ];
  const last = { ...createFakeLlm({ replies: ['I will call you back.'] }), name: 'offline' };
  const health = new VendorHealth();
  const call = answerVirtualCall({
    agent: { introMessage: 'Hi.' },
    finals: ['I need a table.', 'On Friday.', 'At seven then.'],
    spec: { llm: { temperature: null, maxTokens: null, onModelFailure: 'script' } },
    llm: new ChainedModel([...models, last], { health }),
  });
  const go = call.time.pace();
  await call.hasSaid(/Hi/);
  call.talk(400);
  await call.hasSaid(/For which day/);
  // The first model refuses in the middle of the call.
  first.settings.refuse = 402;
  call.talk(400);
  await call.hasSaid(/Two are free/);
  // The second one hangs, and nobody else is left.
  second.settings.hang = true;
  call.talk(400);
  await call.hasSaid(/call you back/);
  call.session.remoteHangup(call.time.now());
  const result = await call.result();
  go();
  const lines = result.transcript.map(({ role, text }) => `${role}: ${text}`);
  expect(lines.slice(0, 6)).toEqual([
    'agent: Hi.',
    'caller: I need a table.',
    'agent: For which day?',
    'caller: On Friday.',
    'agent: Two are free.',
    'caller: At seven then.',
  ]);
  // While the model hung, the caller heard a filler of our own.
  expect(lines[6]).toMatch(/^agent: .+ I will call you back\.$/);
  expect(result.faults).toMatchObject([
    { part: 'llm', vendor: 'anthropic', kind: 'credit', status: 402, effect: 'switched' },
    { part: 'llm', vendor: 'google', kind: 'timeout', status: null, effect: 'switched' },
  ]);
  expect(call.live.filter((event) => event.type === 'notice' && event.code === 'LLM_SWITCHED')).toHaveLength(
    2,
  );
  // Every word that was spoken is at the model.
  const asked = second.requests.map(({ body }) => body.toString('utf8')).join('\n');
  for (const text of ['I need a table.', 'On Friday.', 'At seven then.']) expect(asked).toContain(text);
  expect(JSON.stringify([result, call.live])).not.toContain(KEY);
}, 180_000);
