import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../shared/clock.ts';
import { ChatPlaces } from './chat-places.ts';

function places() {
  const clock = new ManualClock(0);
  const cut: string[] = [];
  const chats = new ChatPlaces({ now: () => clock.now(), after: () => () => undefined });
  const take = (workspace: string, name: string) => chats.take(workspace, () => cut.push(name));
  /** Opens as many chats as the process carries. */
  const fill = (workspace: string) =>
    Array.from({ length: 2_000 }, (_, n) => take(workspace, `${workspace}${n}`));
  return { clock, cut, chats, take, fill };
}

describe('chat sockets that one public key fills', () => {
  it('leave another workspace a place: the page that was silent for longest is closed', () => {
    const { clock, cut, chats, take, fill } = places();
    const [first] = fill('flood');
    expect(take('other', 'other0')).toBeNull();
    clock.advance(1_000);
    chats.used(first!);
    expect(take('other', 'other0')).not.toBeNull();
    expect(take('other', 'other1')).not.toBeNull();
    expect(cut).toEqual(['flood1', 'flood2']);
  });

  it('give the flood itself no further place, unless a page was idle for ten minutes', () => {
    const { clock, cut, take, fill } = places();
    fill('flood');
    clock.advance(599_999);
    expect(take('flood', 'more')).toBeNull();
    clock.advance(1);
    expect(take('flood', 'more')).not.toBeNull();
    expect(cut).toEqual(['flood0']);
  });
});
