import type { LlmEvent, LlmRequest, LlmSession } from '../../providers/ports/model.ts';
import { spread } from '../draw.ts';
import type { Timing } from './timing.ts';

export interface ModelClock {
  readonly seed: number;
  readonly timing: Timing;
  readonly now: () => number;
  readonly at: (time: number, run: () => void) => void;
  /** The clock stands still until the returned function is called. */
  readonly stop: () => () => void;
}

/**
 * A model whose replies take the time of a distribution, whatever they really take: the clock stands while the model is asked, and
 * the words come later, one after the other.
 */
export function delayedModel(session: LlmSession, clock: ModelClock): LlmSession {
  let requests = 0;
  return {
    ...(session.expectsFirst === undefined ? {} : { expectsFirst: session.expectsFirst }),
    ...(session.introduces === undefined ? {} : { introduces: session.introduces }),
    ...(session.checksIn === undefined ? {} : { checksIn: session.checksIn }),
    reply(request, onEvent) {
      requests += 1;
      replyLater(session, request, onEvent, clock, requests);
    },
    close: () => session.close(),
  };
}

function replyLater(
  session: LlmSession,
  request: LlmRequest,
  onEvent: (event: LlmEvent) => void,
  { seed, timing, now, at, stop }: ModelClock,
  number: number,
): void {
  const { signal } = request;
  const from = now() + Math.round(spread(timing.model, seed, 'model', number));
  const events: LlmEvent[] = [];
  let go: (() => void) | null = null;
  let isWhole = false;
  const whole = (): void => {
    isWhole = true;
    let time = from;
    for (const event of events)
      for (const part of partsOf(event)) {
        at(time, () => {
          if (!signal.aborted) onEvent(part);
        });
        if (part.type === 'delta') time += timing.word_ms;
      }
    go?.();
  };
  session.reply(request, (event) => {
    if (isWhole) return;
    events.push(event);
    if (event.type === 'done' || event.type === 'failed') whole();
  });
  if (isWhole) return;
  // The reply of a real model comes while the clock stands; nothing can abort the request meanwhile.
  go = stop();
}

/** A text word by word. */
function partsOf(event: LlmEvent): readonly LlmEvent[] {
  if (event.type !== 'delta' || event.isPiece === true) return [event];
  const { text: whole } = event;
  const leading = whole.slice(0, whole.length - whole.trimStart().length);
  const [first = '', ...rest] = whole.match(/\S+\s*/gu) ?? [];
  const words = first === '' ? [] : [leading + first, ...rest];
  return words.map((text) => ({ ...event, text }));
}
