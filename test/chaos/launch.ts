import { setTimeout as sleep } from 'node:timers/promises';
import { throughOutage } from '../../src/store/transient.ts';
import type { Started } from './checker.ts';
import { slotsOf } from './plan.ts';
import { topUp, type RunState } from './run-state.ts';

/** Uploads a campaign, fills do-not-call lists, starts it, and terminates it if planned. */
export async function launch(state: RunState, index: number): Promise<void> {
  const { client, plan, agents, numbers, receiver, clock, started } = state;
  const campaign = plan.campaigns[index]!;
  const { key } = plan.workspaces[campaign.workspace]!;
  const slots = slotsOf(campaign, clock?.now() ?? Date.now(), clock === null ? 2 : 3);
  const agentId = agents[campaign.workspace]!;
  const id = await client.upload(key, campaign, agentId, slots);
  const listed: string[] = [...campaign.listed.everywhere, ...campaign.listed.here];
  for (const [campaignId, numbersListed] of [
    [undefined, campaign.listed.everywhere],
    [id, campaign.listed.here],
  ] as const) {
    const { status, body } = await client.ask(key, 'POST', '/api/v0/dnc', {
      ...(campaignId === undefined ? {} : { campaign_id: campaignId }),
      mobile_numbers: numbersListed,
    });
    if (status !== 200) throw new Error(`not listed: ${status} ${JSON.stringify(body)}`);
  }
  const start = {
    agent_id: agentId,
    [campaign.flow === 'save' ? 'list_id' : 'bulk_list_id']: id,
    from_numbers: numbers[campaign.workspace],
    callback_url: `http://127.0.0.1:${receiver.port}/campaign`,
    ...(campaign.percentage === null ? {} : { concurrency_percentage: campaign.percentage }),
  };
  const path = campaign.flow === 'save' ? 'start' : 'make-call-async';
  for (;;) {
    const { status, body } = await client.ask(key, 'POST', `/api/v0/campaign/${path}`, start);
    // The response of an earlier, successful attempt may have been lost.
    const isStarted = status === 400 && /already/i.test(JSON.stringify(body));
    if (status === 200 || isStarted) break;
    if (status !== 402) throw new Error(`${campaign.name} not started: ${status} ${JSON.stringify(body)}`);
    await topUp(state, campaign.workspace, campaign.rows.length);
  }
  // Short runs skip the ramp.
  if (clock !== null) await throughOutage(() => warmUp(state, id), 60_000);
  const known: Started = { campaign, id, slots, listed, terminatedAt: null };
  started.push(known);
  if (campaign.isTerminated) await terminate(state, known);
}

const warmUp = ({ db, clock }: RunState, id: string): Promise<unknown> => {
  const at = new Date(clock?.now() ?? Date.now());
  return db
    .updateTable('campaigns')
    .set({ ramp_limit: 100, ramp_at: at, served_at: at })
    .where('id', '=', id)
    .execute();
};

/** Terminates after some contacts were dialled; no INVITE may follow the response. */
async function terminate({ client, plan, db }: RunState, known: Started): Promise<void> {
  const { key } = plan.workspaces[known.campaign.workspace]!;
  const enough = Math.max(3, known.campaign.rows.length / 4);
  for (let waited = 0; waited < 60_000; waited += 300) {
    const { dialled } = await throughOutage(
      () =>
        db
          .selectFrom('call_attempts')
          .select(db.fn.countAll<number>().as('dialled'))
          .where('campaign_id', '=', known.id)
          .where('dialed_at', 'is not', null)
          .executeTakeFirstOrThrow(),
      60_000,
    );
    if (dialled >= enough) break;
    await sleep(300);
  }
  const answer = await client.ask(key, 'PATCH', '/api/v0/campaign/terminate', { campaign_id: known.id });
  if (answer.status !== 200) throw new Error(`not terminated: ${answer.status}`);
  known.terminatedAt = answer.at;
}
