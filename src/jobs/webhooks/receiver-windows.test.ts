import { describe, expect, it } from 'vitest';
import { ReceiverWindows, type Quota, type Ticket } from './receiver-windows.ts';

const RECEIVER = { workspaceId: 'w', host: 'hooks.test' };
const HANGS = 'POST http://hooks.test/hangs';
const DUE = 1000;
const LATER = 5000;
/** A time at which requests started at 0 count as slow. */
const SLOW = 2000;

/** A receiver whose requests all hang. */
function hanging(): { windows: ReceiverWindows; tickets: Ticket[] } {
  const windows = new ReceiverWindows({ parallel: 64, slow: 64, perReceiver: 4, first: 4 });
  const begin = (): Ticket => windows.begin({ ...RECEIVER, target: HANGS }, DUE, 0);
  return { windows, tickets: Array.from({ length: 4 }, begin) };
}
const only = (windows: ReceiverWindows): Quota => windows.free(SLOW).quotas[0]!;

describe('the cursor of a receiver with a hanging target', () => {
  it('advances when the last poll found nothing more for other targets', () => {
    const { windows } = hanging();
    const { quotas, limit } = windows.free(SLOW);
    expect(quotas).toEqual([{ ...RECEIVER, since: DUE, quota: 4, hanging: [HANGS] }]);
    windows.advance(quotas, limit, [RECEIVER, RECEIVER, RECEIVER], LATER);
    expect(only(windows).since).toBe(LATER);
  });

  it('stays when the last poll used up the quota or the limit', () => {
    const { windows } = hanging();
    const { quotas, limit } = windows.free(SLOW);
    windows.advance(quotas, limit, [RECEIVER, RECEIVER, RECEIVER, RECEIVER], LATER);
    expect(only(windows).since).toBe(DUE);
    windows.advance(quotas, 1, [{ ...RECEIVER, host: 'other.test' }], LATER);
    expect(only(windows).since).toBe(DUE);
  });

  it('moves back to the due time of a delivery whose outcome is stored', () => {
    const { windows } = hanging();
    const { quotas, limit } = windows.free(SLOW);
    windows.advance(quotas, limit, [], LATER);
    windows.reopen(windows.begin({ ...RECEIVER, target: 'POST http://hooks.test/good' }, DUE + 1, SLOW));
    expect(only(windows).since).toBe(DUE + 1);
  });

  it('is reset when another target hangs, or none does', () => {
    const { windows, tickets } = hanging();
    const { quotas, limit } = windows.free(SLOW);
    windows.advance(quotas, limit, [], LATER);
    windows.begin({ ...RECEIVER, target: 'POST http://hooks.test/too' }, DUE, 0);
    expect(only(windows)).toMatchObject({ since: DUE, hanging: [HANGS, 'POST http://hooks.test/too'] });
    for (const ticket of tickets) windows.end(ticket, 'timed out');
    expect(only(windows)).toMatchObject({ since: DUE, hanging: [] });
  });
});
