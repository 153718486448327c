import { describe, expect, it } from 'vitest';
import { ReceiverWindows, type Room, type Ticket } from './receiver-windows.ts';

const RECEIVER = { workspaceId: 'w', host: 'hooks.test' };
const HANGS = 'POST http://hooks.test/hangs';
const DUE = 1000;
const LATER = 5000;
/** When requests begun at 0 are slow. */
const SLOW = 2000;

/** A receiver whose whole window hangs. */
function hanging(): { windows: ReceiverWindows; tickets: Ticket[] } {
  const windows = new ReceiverWindows({ parallel: 64, slow: 64, perReceiver: 4, first: 4 });
  const begin = (): Ticket => windows.begin({ ...RECEIVER, target: HANGS }, DUE, 0);
  return { windows, tickets: Array.from({ length: 4 }, begin) };
}
const only = (windows: ReceiverWindows): Room => windows.free(SLOW).rooms[0]!;

describe('a look at a receiver with a target that hangs', () => {
  it('begins where the last one found nothing more that goes elsewhere', () => {
    const { windows } = hanging();
    const { rooms, limit } = windows.free(SLOW);
    expect(rooms).toEqual([{ ...RECEIVER, since: DUE, room: 4, hanging: [HANGS] }]);
    windows.looked(rooms, limit, [RECEIVER, RECEIVER, RECEIVER], LATER);
    expect(only(windows).since).toBe(LATER);
  });

  it('begins where it did when the last one took all it might', () => {
    const { windows } = hanging();
    const { rooms, limit } = windows.free(SLOW);
    windows.looked(rooms, limit, [RECEIVER, RECEIVER, RECEIVER, RECEIVER], LATER);
    expect(only(windows).since).toBe(DUE);
    windows.looked(rooms, 1, [{ ...RECEIVER, host: 'other.test' }], LATER);
    expect(only(windows).since).toBe(DUE);
  });

  it('goes back to what was due with a delivery that is over', () => {
    const { windows } = hanging();
    const { rooms, limit } = windows.free(SLOW);
    windows.looked(rooms, limit, [], LATER);
    windows.reopen(windows.begin({ ...RECEIVER, target: 'POST http://hooks.test/good' }, DUE + 1, SLOW));
    expect(only(windows).since).toBe(DUE + 1);
  });

  it('passes by everything once more when another target hangs, or none', () => {
    const { windows, tickets } = hanging();
    const { rooms, limit } = windows.free(SLOW);
    windows.looked(rooms, limit, [], LATER);
    windows.begin({ ...RECEIVER, target: 'POST http://hooks.test/too' }, DUE, 0);
    expect(only(windows)).toMatchObject({ since: DUE, hanging: [HANGS, 'POST http://hooks.test/too'] });
    for (const ticket of tickets) windows.end(ticket, 'timed out');
    expect(only(windows)).toMatchObject({ since: DUE, hanging: [] });
  });
});
