import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTurn } from '../../../src/domain/admission/check-turn.ts';
import { judge } from '../../../src/domain/admission/gate.ts';
import { KINDS, type AdmissionKind, type AdmissionRequest } from '../../../src/domain/admission/rules.ts';
import { createTenant, createTestApi, type Tenant, type TestApi } from '../../helpers/api/api.ts';
import { createChild } from '../../helpers/api/owned-objects.ts';

const MICRO = 1_000_000;
const rate = { creditsPerMinute: 1, pulseSeconds: 60 };
let api: TestApi;
let parent: Tenant;
let child: Tenant;
beforeAll(async () => {
  api = await createTestApi();
  parent = await createTenant(api, { unlimited: true });
  child = await createChild(api, parent);
  await sql`update workspaces set unlimited = true, credits = 0 where id = ${child.workspaceId}`.execute(
    api.db,
  );
});
afterAll(() => api?.close());

const deps = () => ({ db: api.db, clock: api.clock });
/** Every kind of what costs, at a price; those of models are turns. */
const requests = (Object.keys(KINDS) as AdmissionKind[]).map((kind): AdmissionRequest => {
  const isTurn = kind === 'chat' || kind === 'test';
  const isSum = kind === 'embedding' || kind === 'search' || kind === 'preview' || kind === 'analysis';
  const price = isTurn ? { each: MICRO, most: 1 } : isSum ? { amount: MICRO } : { talkMs: 60_000, rate };
  return { kind, byStranger: false, price };
});
/** What the gate answers to each kind for the child. */
async function answers(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const request of requests) {
    const judged = await api.db.transaction().execute((tx) => judge(tx, deps(), child.workspaceId, request));
    found[request.kind] = judged.admitted ? `locks ${judged.amount / MICRO}` : judged.reason;
  }
  return found;
}
const all = (answer: string) => Object.fromEntries(requests.map(({ kind }) => [kind, answer]));

describe('a child of an unlimited workspace', () => {
  it('is free while its parent is, and pays for every kind once its parent has a balance', async () => {
    expect(await answers()).toEqual(all('locks 0'));
    await sql`update workspaces set unlimited = false, credits = ${1000 * MICRO} where id = ${parent.workspaceId}`.execute(
      api.db,
    );
    expect(await answers()).toEqual(all('balance'));
    await expect(
      checkTurn({ ...deps(), unitPrices: { modelTurn: 1 } }, child.workspaceId, 'chat'),
    ).rejects.toMatchObject({ status: 402 });
    await sql`update workspaces set credits = ${MICRO} where id = ${child.workspaceId}`.execute(api.db);
    expect(await answers()).toEqual(all('locks 1'));
  });

  it('has the caps of its parent, which its own only narrow', async () => {
    const limits = (of: Tenant, declared: object) =>
      sql`update workspaces set settings = settings || ${JSON.stringify({ limits: declared })}::jsonb
        where id = ${of.workspaceId}`.execute(api.db);
    await limits(parent, { credits_per_day: 0.5 });
    expect(await answers()).toEqual(all('credits_per_day'));
    await limits(child, { credits_per_day: 1000 });
    expect(await answers()).toEqual(all('credits_per_day'));
    await limits(parent, { credits_per_day: 5 });
    expect(await answers()).toEqual(all('locks 1'));
    await limits(child, { credits_per_day: 0.5 });
    expect(await answers()).toEqual(all('credits_per_day'));
  });
});
