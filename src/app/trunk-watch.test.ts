import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../shared/log.ts';
import type { StoredTrunk } from '../store/numbers/trunks.ts';
import type { Trunk } from '../telephony/trunks/trunk.ts';
import { TRUNKS_MS, TrunkWatch } from './trunk-watch.ts';

const trunk = (id: string, change: Partial<StoredTrunk> = {}): StoredTrunk => ({
  id,
  name: `trunk ${id}`,
  kind: 'sip',
  uri: 'sip:sip.example.com',
  gateways: [],
  username: null,
  authUsername: null,
  password: null,
  signingKey: null,
  application: null,
  register: false,
  transport: null,
  allowedSources: [],
  mediaRanges: [],
  srtp: 'off',
  codecs: null,
  outgoing: null,
  headerVariables: [],
  acceptRefer: false,
  joinByRefer: false,
  inboundSecret: null,
  isEnabled: true,
  ...change,
});

describe('the trunks of a running process', () => {
  let stored: readonly StoredTrunk[] | Error;
  let set: string[][];
  let lines: Record<string, unknown>[];
  let opened: number;
  let first: string[];
  let watch: TrunkWatch;
  beforeEach(async () => {
    vi.useFakeTimers();
    [stored, set, lines, opened] = [[trunk('a'), trunk('off', { isEnabled: false })], [], [], 0];
    watch = new TrunkWatch({
      log: createLog({
        level: 'info',
        pretty: false,
        destination: { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
      }),
      list: () => (stored instanceof Error ? Promise.reject(stored) : Promise.resolve(stored)),
      toTrunk: (from) => {
        opened += 1;
        return { ...from, transport: from.transport ?? 'auto' } satisfies Trunk;
      },
    });
    first = (await watch.first()).map(({ id }) => id);
    watch.start((trunks) => void set.push(trunks.map(({ id, uri }) => `${id} ${uri}`)));
    await vi.advanceTimersByTimeAsync(0);
  });
  afterEach(async () => {
    await watch.stop();
    vi.useRealTimers();
  });

  it('are left alone while nothing changes', async () => {
    await vi.advanceTimersByTimeAsync(10 * TRUNKS_MS);
    expect([first, set]).toEqual([['a'], []]);
    expect(opened).toBe(1);
    expect(lines).toEqual([]);
  });

  it('follow the database: added, changed and taken out of service, each once and with a log line', async () => {
    stored = [trunk('a', { uri: 'sip:new.example.com' }), trunk('b')];
    await vi.advanceTimersByTimeAsync(3 * TRUNKS_MS);
    expect(set).toEqual([['a sip:new.example.com', 'b sip:sip.example.com']]);
    expect(lines).toMatchObject([
      { added: ['trunk b'], changed: ['trunk a'], removed: [], msg: 'trunks changed; live calls go on' },
    ]);
    stored = [trunk('a', { isEnabled: false }), trunk('b')];
    watch.kick();
    await vi.advanceTimersByTimeAsync(0);
    expect(set.slice(1)).toEqual([['b sip:sip.example.com']]);
    expect(lines.slice(1)).toMatchObject([{ added: [], changed: [], removed: ['trunk a'] }]);
  });

  it('stay while the database is away', async () => {
    stored = new Error('away');
    await vi.advanceTimersByTimeAsync(2 * TRUNKS_MS);
    expect(set).toEqual([]);
    expect(lines[0]).toMatchObject({ msg: 'the trunks could not be read; the known ones stay' });
  });
});
