import { expect, it } from 'vitest';
import { answerVirtualCall } from '../../test/rigs/calls/virtual-session.ts';
import { ChainedRecogniser } from '../providers/stt/chained.ts';
import { vendorFault } from '../providers/wire/fault.ts';
import type { Ears, Expected } from '@callwright/turns';
import type { LlmProvider } from '../providers/ports/model.ts';
import type { SttEvent, SttProvider } from '../providers/ports/recogniser.ts';

const QUESTION = 'Would you prefer Monday or Tuesday?';

it('tells model and conversation what can be heard after a fallback to phrases', async () => {
  let vendorSays: (event: SttEvent) => void = () => undefined;
  const vendor: SttProvider = {
    name: 'deepgram',
    understands: () => true,
    open({ onEvent }) {
      vendorSays = onEvent;
      const ignore = (): void => undefined;
      return { write: ignore, speechStarted: ignore, speechEnded: ignore, expect: ignore, close: ignore };
    },
    close: () => Promise.resolve(),
  };
  const expected: (Expected | null)[] = [];
  const phrases: SttProvider = {
    name: 'offline',
    understands: () => true,
    onlyPhrases: () => true,
    open: ({ onEvent }) => ({
      write: () => undefined,
      speechStarted: () => undefined,
      speechEnded: (at) => onEvent({ type: 'nothing', at }),
      expect: (answer) => void expected.push(answer),
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
  const ears: Ears[] = [];
  const llm: LlmProvider = {
    name: 'model',
    open: () => ({
      reply(_, onEvent) {
        onEvent({ type: 'delta', text: QUESTION });
        onEvent({ type: 'done', memory: null, expected: null });
      },
      hears: (now) => void ears.push(now),
      close: () => undefined,
    }),
    close: () => Promise.resolve(),
  };
  const call = answerVirtualCall({
    recogniser: new ChainedRecogniser([vendor, phrases]),
    llm,
    agent: { introMessage: 'Hello.' },
  });
  const { time } = call;
  await call.hasSaid(/Hello/);
  call.talk(600);
  await time.advance(700);
  vendorSays({ type: 'final', text: 'I need a table', confidence: 1, at: time.now(), audioMs: null });
  await call.hasSaid(/Tuesday/);
  const fault = vendorFault('deepgram', 'key', '');
  vendorSays({ type: 'failed', message: fault.message, retryable: false, at: time.now(), fault });
  expect(ears).toEqual([{ understandsSpeech: true, onlyPhrases: true }]);
  expect(expected.at(-1)).toMatchObject({ kinds: ['choice'] });
  // Speech without words is an answer now, not noise.
  call.talk(900);
  await call.hasSaid(/sorry|catch|understand/i);
  call.session.remoteHangup(time.now());
  await call.result();
});
