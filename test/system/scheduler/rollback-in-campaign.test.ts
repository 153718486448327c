import { afterAll, beforeAll, expect, it } from 'vitest';
import { rollBack } from '../../../src/domain/agents/draft/publish.ts';
import { startedCampaign } from '../../helpers/campaigns/due-campaigns.ts';
import { createDialing, type Dialing } from '../../helpers/calls/claiming-node.ts';
import { createWorkspace } from '../../helpers/database/workspace.ts';

let dialing: Dialing;
beforeAll(async () => {
  dialing = await createDialing();
});
afterAll(() => dialing.close());

it('a rollback in mid-campaign changes the next call only', async () => {
  const w = await createWorkspace(dialing.db, { callLimit: 1 });
  const deps = { db: dialing.db, clock: dialing.clock };
  const to = { note: '', author: 'owner@example.com', versionId: w.versionId, ifLive: null };
  const published = await rollBack(deps, w.id, null, w.agentId, to);
  const campaign = await startedCampaign(deps, w, { contacts: 2 });
  const [first] = await dialing.taken();
  if (first === undefined) throw new Error('no call was claimed');
  const back = await rollBack(deps, w.id, null, w.agentId, to);
  const [calling] = (await dialing.callsOf(campaign)).filter(({ id }) => id === first.callId);
  expect([first.versionId, calling?.version_id]).toEqual([published.id, published.id]);
  await dialing.settle(first);
  const [second] = await dialing.taken();
  expect([second?.callId === first.callId, second?.versionId]).toEqual([false, back.id]);
});
