import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { claimBatch } from '../../../src/scheduler/claim.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createWorkspace, queueCalls } from '../../helpers/database/workspace.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
beforeEach(() => dialing.renew());
afterAll(() => dialing.close());

const KINDS = { twilio: 'https://api.twilio.com', asterisk: 'https://pbx.example.com:8089' };

it.each(['twilio', 'asterisk'] as const)(
  'a process that no stream reaches leaves calls over %s to one that streams reach, as they are',
  async (kind) => {
    const { db, deps } = dialing;
    const trunks = { stream: { kind, uri: KINDS[kind] } };
    const world = await createWorkspace(db, { trunks, numbers: [{ trunk: 'stream' }] });
    await queueCalls(db, world, 2);
    const claim = (takesStreams: boolean) =>
      claimBatch({ ...deps, takesStreams }, { visited: [], capacity: 10 });
    expect((await claim(false))?.claimed).toEqual([]);
    const rows = await db.selectFrom('calls').select(['status', 'sub_status', 'attempt']).execute();
    expect(rows.map(({ sub_status: said }) => said)).not.toContain('LIMIT_REACHED');
    expect(rows.map(({ status, attempt }) => [status, attempt])).toEqual([
      ['registered', 0],
      ['registered', 0],
    ]);
    expect((await claim(true))?.claimed).toHaveLength(2);
  },
);

it('a process that no stream reaches claims calls over SIP, of a campaign as well', async () => {
  const { db, clock, deps } = dialing;
  const world = await createWorkspace(db);
  await queueCalls(db, world, 1);
  await startedCampaign({ db, clock }, world, { contacts: 1 });
  const batch = await claimBatch({ ...deps, takesStreams: false }, { visited: [], capacity: 10 });
  expect(batch?.claimed).toHaveLength(2);
});
