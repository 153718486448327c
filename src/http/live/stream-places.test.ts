import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { HeldCounts } from '../../shared/limits/held-counts.ts';
import { StreamPlaces } from './stream-places.ts';

const never = new AbortController().signal;
/** A stream that ends at once, as that of a client which reconnects in a loop. */
const brief = (places: StreamPlaces, workspaceId: string): Promise<string> =>
  places.within(workspaceId, never, async () => 'began').catch((error: { code: string }) => error.code);

describe('event streams that reconnect in a loop', () => {
  it('begin at the pace of their workspace, are counted, and cost no other workspace a stream', async () => {
    const clock = new ManualClock();
    const refused: string[] = [];
    const places = new StreamPlaces(
      { places: 10_000, parts: 20 },
      { clock, onRefused: (entrance) => refused.push(entrance) },
      new HeldCounts(clock),
    );
    const answers = new Map<string, number>();
    for (let n = 0; n < 1_500; n += 1) {
      const answer = await brief(places, 'hostile');
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    expect(Object.fromEntries(answers)).toEqual({ began: 1_000, TOO_MANY_STREAMS: 500 });
    expect(refused).toHaveLength(500);
    expect(new Set(refused)).toEqual(new Set(['stream']));
    expect(await brief(places, 'innocent')).toBe('began');
    clock.advance(1_000);
    expect(await brief(places, 'hostile')).toBe('began');
  });
});
