import { expect, it } from 'vitest';
import { answerVirtualCall } from '../../test/rigs/calls/virtual-session.ts';
import type { LlmProvider } from '../providers/ports/model.ts';

it('counts the tokens of a reply that was dropped because the caller went on', async () => {
  let requests = 0;
  const model = { vendor: 'anthropic', model: 'claude' } as const;
  /** Replies to the second request only. */
  const llm: LlmProvider = {
    name: 'anthropic',
    open: () => ({
      reply({ signal, onCancelled }, onEvent) {
        requests += 1;
        if (requests === 1) {
          const use = { ...model, inputTokens: 700, cachedTokens: null, outputTokens: 5 };
          signal.addEventListener('abort', () => onCancelled?.(use), { once: true });
          return;
        }
        const usage = { ...model, inputTokens: 800, cachedTokens: 0, outputTokens: 20 };
        onEvent({ type: 'delta', text: 'On Friday, then.' });
        onEvent({ type: 'done', memory: null, expected: null, usage });
      },
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
  const call = answerVirtualCall({
    llm,
    agent: { introMessage: 'Hello.' },
    finals: ['Can I book a table', 'for Friday please'],
  });
  await call.hasSaid(/Hello/);
  call.talk(600);
  await call.time.until('the first request', () => requests === 1);
  call.talk(600);
  await call.hasSaid(/Friday/);
  call.session.remoteHangup(call.time.now());
  const { usage } = await call.result();
  expect(usage?.filter(({ part }) => part === 'llm')).toMatchObject([
    { ...model, inputTokens: 1_500, outputTokens: 25 },
  ]);
});
