import { describe, expect, it } from 'vitest';
import type { TurnEvent } from '@callwright/turns';
import { settings } from '../../test/helpers/turns.ts';
import { ProcessorMeter } from './processor-meter.ts';
import { TurnLoop } from './turn-loop.ts';

describe('the turn loop', () => {
  it('carries out all effects of an event before the next one', () => {
    const seen: string[] = [];
    const loop: TurnLoop = new TurnLoop(
      settings,
      {
        perform(effect, at) {
          if (effect.type === 'speak') {
            loop.dispatch({ type: 'utterance_started', utteranceId: effect.utteranceId, at });
            loop.insert({ type: 'wake', at });
          }
          seen.push(effect.type);
        },
        watch: ({ type }) => seen.push(type),
        onFault: (error) => expect.unreachable(String(error)),
      },
      new ProcessorMeter(),
    );
    expect(loop.dispatch({ type: 'answered', at: 0 })).toBe(true);
    expect(seen).toEqual(['answered', 'speak', 'end_speech', 'release', 'wake', 'utterance_started']);
    expect(loop.state.call.phase).toBe('talking');
  });

  it('reports a fault, drops what waits, and handles later events', () => {
    const [events, faults]: [TurnEvent['type'][], unknown[]] = [[], []];
    const loop: TurnLoop = new TurnLoop(
      settings,
      {
        perform() {
          loop.dispatch({ type: 'wake', at: 0 });
          throw new Error('no voice');
        },
        watch: ({ type }) => events.push(type),
        onFault: (error) => faults.push(error),
      },
      new ProcessorMeter(),
    );
    loop.dispatch({ type: 'answered', at: 0 });
    loop.dispatch({ type: 'remote_hangup', at: 10 });
    expect([events, faults.length]).toEqual([['answered', 'remote_hangup'], 2]);
  });
});
