import { expect, it } from 'vitest';
import { ManualClock } from '../shared/clock.ts';
import { silentLog } from '../shared/log.ts';
import type { Db } from '../store/database.ts';
import { AttemptJournal } from './journal.ts';

const RELEASED = { released: true, stored: { status: 'registered', subStatus: 'QUEUED' } } as const;

/** A journal whose database is away for the first `failures` transactions, and how often it was asked. */
function journalOf(failures: number, code: string) {
  const asked = { times: 0 };
  const execute = (): Promise<unknown> => {
    asked.times += 1;
    return asked.times <= failures
      ? Promise.reject(Object.assign(new Error('the database is away'), { code }))
      : Promise.resolve(RELEASED);
  };
  const db = { transaction: () => ({ execute }) } as unknown as Db;
  const journal = new AttemptJournal(
    { workspaceId: 'w', callId: 'c', attempt: 1, nodeId: 'n' },
    {
      db,
      clock: new ManualClock(),
      log: silentLog,
      rate: { creditsPerMinute: 1, pulseSeconds: 60 },
      recordingUrl: () => '',
      live: { markUnsettled: () => undefined },
      talk: { add: () => undefined, flush: () => Promise.resolve(), forget: () => undefined },
    },
    true,
  );
  return { journal, asked };
}

it('an attempt whose INVITE did not leave is released once the database is back', async () => {
  const { journal, asked } = journalOf(2, 'ECONNREFUSED');
  expect(await journal.release([], 60_000)).toEqual(RELEASED);
  expect(asked.times).toBe(3);
});

it('a release waits for nothing when the process stops, or after an error that is no outage', async () => {
  const stopping = journalOf(1, 'ECONNREFUSED');
  await expect(stopping.journal.release()).rejects.toThrow('the database is away');
  const broken = journalOf(1, '42703');
  await expect(broken.journal.release([], 60_000)).rejects.toThrow('the database is away');
  expect([stopping.asked.times, broken.asked.times]).toEqual([1, 1]);
});
