import { startCampaign } from '../../test/helpers/campaigns/service-campaign.ts';
import { sleep } from '../attacks/attack.ts';
import { HeldCalls } from '../attacks/held-calls.ts';
import { Innocent, type Measured } from '../attacks/innocent.ts';
import { Chats } from './chats.ts';
import { checkDay, whenQuiet, type Done } from './check.ts';
import { FAULTS, type Fault } from './faults.ts';
import { Talks } from './talks.ts';
import type { Tenant, World } from './world.ts';

const WARM_MS = 20_000;
const CALM_MS = 40_000;
/** Retries of webhooks that waited for the database, and calls under way, end within it. */
const LAST_MS = 150_000;
const HELD = { measured: 6, others: 4 };

/** A part of the day, and what the innocent client measured in it. */
export interface Window {
  readonly name: string;
  readonly fault: Fault | null;
  readonly from: number;
  readonly until: number;
  readonly measured: Measured;
}

export interface Day {
  readonly windows: readonly Window[];
  /** By fault: until a request was served again, ms. */
  readonly back: ReadonlyMap<string, number>;
  readonly done: readonly Done[];
  readonly talks: Talks;
  readonly held: HeldCalls;
  readonly findings: readonly string[];
  readonly minutes: number;
  /** Until nothing was under way any more, after the last fault. */
  readonly last: Awaited<ReturnType<typeof whenQuiet>>;
}

/** One day: calm, then each fault and the rest after it, with calls, chats and campaigns of every tenant under way. */
export async function liveThrough(
  world: World,
  contacts: number,
  note: (text: string) => void,
): Promise<Day> {
  const begun = performance.now();
  const innocent = new Innocent(world.innocent);
  await innocent.ready();
  const held = new HeldCalls(world.innocent, Number(new URL(world.service.url).port));
  await held.start(HELD.measured, HELD.others);
  world.carrier.callIn(world.service.sipPort, world.tenants[2]!.number);
  const done = await Promise.all(world.tenants.map((tenant, index) => begin(tenant, index, contacts)));
  const talks = new Talks(world.tenants[0]!);
  await sleep(WARM_MS);
  await innocent.take();
  const windows: Window[] = [];
  const back = new Map<string, number>();
  const window = async (name: string, fault: Fault | null, ms: number): Promise<void> => {
    if (ms === 0) return;
    const from = Date.now();
    await sleep(ms);
    const measured = await innocent.take();
    windows.push({ name, fault, from, until: Date.now(), measured });
    note(`${name}: over; ${await held.live().catch(() => Number.NaN)} live calls`);
  };
  await window('before', null, CALM_MS);
  for (const fault of FAULTS) {
    note(`${fault.name}: begins`);
    await fault.begin(world);
    await window(fault.name, fault, fault.ms);
    await fault.end(world);
    back.set(fault.name, await whenBack(world.tenants[0]!));
    if (!fault.isHidden) await innocent.take();
    await window(`after: ${fault.name}`, null, fault.restMs);
  }
  await Promise.all(done.map(({ chats }) => chats.stop()));
  await talks.stop();
  await held.hangUp();
  await innocent.stop();
  await world.carrier.stopCalling();
  note('the faults are over');
  const last = await whenQuiet(world.database.kysely, LAST_MS, note);
  const findings = await checkDay(world, done);
  const minutes = (performance.now() - begun) / 60_000;
  return { windows, back, done, talks, held, findings, last, minutes };
}

/** Until the API serves the tenant, ms. */
async function whenBack({ client }: Tenant): Promise<number> {
  const from = performance.now();
  for (;;) {
    const answer = await client.request('GET', '/api/v0/calling/history?limit=1').catch(() => null);
    if (answer?.status === 200) return performance.now() - from;
    await sleep(200);
  }
}

async function begin(tenant: Tenant, index: number, contacts: number): Promise<Done> {
  const numbers = Array.from(
    { length: contacts },
    (_, nth) => `+12126${index}0${String(nth).padStart(4, '0')}`,
  );
  // Five lines: the others are for calls of people.
  const lines = { concurrency_percentage: tenant.name === 'Innocent' ? 8 : 50 };
  const callback_url = tenant.receiver.url;
  const campaignId = await startCampaign(tenant.client, tenant.agentId, numbers, { ...lines, callback_url });
  return { tenant, campaignId, numbers, chats: new Chats(tenant) };
}
