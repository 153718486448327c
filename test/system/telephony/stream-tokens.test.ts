import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnnouncedCall } from '../../../src/domain/trunks/stream-tickets.ts';
import { ManualClock } from '../../../src/shared/clock.ts';
import { newId } from '../../../src/shared/ids.ts';
import { placedToken } from '../../../src/shared/stream-token.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database/database.ts';
import { TEST_SEAL } from '../../helpers/database/seal.ts';
import { createTrunk } from '../../helpers/database/workspace.ts';
import {
  openStream,
  startStreamProcess,
  stopStreamProcess,
  type StreamProcess,
} from '../../helpers/sip/stream-process.ts';

const SECRET = 'token-of-twilio';
const clock = new ManualClock(1_800_000_000_000);

let database: TestDatabase;
let trunkId = '';
let first: StreamProcess;
let second: StreamProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  const settings = { kind: 'twilio', uri: 'https://api.twilio.com', password: TEST_SEAL.seal(SECRET) };
  trunkId = await createTrunk(database.db, settings);
  first = await startStreamProcess(database, clock, 'first');
  second = await startStreamProcess(database, clock, 'second');
});
afterAll(async () => {
  for (const process of [first, second]) stopStreamProcess(process);
  await database.close();
});

const call = (carrierCallId: string): AnnouncedCall => ({
  trunkId,
  kind: 'twilio',
  carrierCallId,
  from: '+14155550188',
  to: '+14155550100',
  displayName: null,
});

const signatureOf = (token: string, secret = SECRET): Record<string, string> => ({
  'x-twilio-signature': createHmac('sha1', secret)
    .update(`wss://calls.example.com/carrier/${token}`)
    .digest('base64'),
});

/** What a carrier hears when it connects at the process, or the refusal. */
const connect = ({ url }: StreamProcess, token: string, headers = signatureOf(token)): Promise<string> =>
  openStream(`${url}/carrier/${token}`, headers);

describe('the token of an announced call', () => {
  it('is the same for every process that gets the webhook, also when it has been used', async () => {
    const token = await first.tickets.issue(call('CA1'));
    expect(await second.tickets.issue(call('CA1'))).toBe(token);
    expect(await second.tickets.take(token)).toEqual(call('CA1'));
    expect(await first.tickets.issue(call('CA1'))).toBe(token);
    expect([await first.tickets.take(token), await first.tickets.take('')]).toEqual([null, null]);
    expect(await first.tickets.issue({ ...call('CA1'), trunkId: newId() })).not.toBe(token);
  });

  it('works once, however many processes get the stream at the same time', async () => {
    const token = await first.tickets.issue(call('CA2'));
    const heard = await Promise.all([first, second, first, second].map((one) => connect(one, token)));
    expect(heard.filter((line) => line === 'CA2 heard hello')).toHaveLength(1);
    expect(heard.filter((line) => line.startsWith('401'))).toHaveLength(3);
  });

  it('opens its stream at another process than the one that answered the webhook', async () => {
    const token = await first.tickets.issue(call('CA3'));
    expect(await connect(second, token)).toBe('CA3 heard hello');
    expect([first.connected.includes('CA3'), second.connected.includes('CA3')]).toEqual([false, true]);
  });

  it('stays unused when the upgrade is unsigned, or another secret signed it', async () => {
    const token = await first.tickets.issue(call('CA4'));
    expect(await connect(first, token, signatureOf(token, 'another'))).toMatch(
      /^403 .*the signature of the upgrade is not that of the account/,
    );
    expect(await connect(first, token, {})).toMatch(/^403 .*the upgrade has no signature of the carrier/);
    expect(await connect(first, token, signatureOf('other'))).toMatch(/^403/);
    expect(await connect(first, token)).toBe('CA4 heard hello');
  });

  it('expires after a minute, and is deleted with the calls that follow ten minutes later', async () => {
    const token = await first.tickets.issue(call('CA5'));
    clock.advance(60_001);
    expect(await connect(first, token)).toMatch(/^401/);
    clock.advance(600_000);
    for (let i = 0; i < 4; i += 1) await first.tickets.issue(call(`later ${i}`));
    expect(await first.tickets.issue(call('CA5'))).not.toBe(token);
    const { db } = database;
    const rows = await db.selectFrom('stream_tokens').select('sealed_call').execute();
    expect(rows).toHaveLength(5);
    expect(rows.some(({ sealed_call: sealed }) => sealed?.includes('4155550188') === true)).toBe(false);
  });
});

describe('the stream of a placed call', () => {
  it('goes on to the process that places the call when it arrives at another one', async () => {
    const token = placedToken(first.nodeId);
    first.placed.add(token);
    expect(await connect(second, token)).toBe('placed by first heard hello');
    expect(await connect(second, token)).toMatch(/^401 .*the token is unknown, used or expired/);
    expect(await connect(first, token)).toMatch(/^401/);
  });

  it('is refused when the process that places the call has left', async () => {
    const token = placedToken(newId());
    expect(await connect(second, token)).toMatch(/^401/);
  });

  it('is passed on once: a process that does not place the call refuses what another passed on', async () => {
    const token = placedToken(first.nodeId);
    first.placed.add(token);
    const headers = { ...signatureOf(token), 'x-callwright-relayed': '1' };
    expect(await connect(second, token, headers)).toMatch(/^401/);
    expect(await connect(first, token, headers)).toBe('placed by first heard hello');
  });
});
