import { expect, it } from 'vitest';
import { answerVirtualCall } from '../../test/rigs/calls/virtual-session.ts';

it('watchers get a sentence of the agent as it begins, and words of the caller before their line is over', async () => {
  const call = answerVirtualCall({ stt: { partialMs: 100 }, finals: ['I would like to come on Tuesday'] });
  await call.hasSaid(/Maya/);
  const begun = call.live.findIndex((event) => event.type === 'words' && event.role === 'agent');
  const said = call.live.findIndex((event) => event.type === 'line');
  expect(call.live[begun]).toMatchObject({ text: 'Hello, this is Maya.' });
  expect(begun).toBeLessThan(said);
  call.talk(2_000);
  await call.time.until('the line of the caller', () =>
    call.live.some((event) => event.type === 'line' && event.line.role === 'caller'),
  );
  const shown = call.live.flatMap((event) =>
    event.type === 'words' && event.role === 'caller' ? [event] : [],
  );
  expect(shown.length).toBeGreaterThan(1);
  expect('I would like to come on Tuesday').toContain(shown[0]?.text);
  for (const [n, event] of shown.slice(1).entries()) {
    expect(event.at - (shown[n]?.at ?? 0)).toBeGreaterThanOrEqual(300);
  }
});
