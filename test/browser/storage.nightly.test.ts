import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inspect } from '../helpers/browser/chromium.ts';
import { openDashboard, type Dashboard } from '../helpers/browser/dashboard.ts';
import { openPlace } from '../helpers/browser/places.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database/database.ts';
import { eventually } from '../helpers/service/service.ts';

let database: TestDatabase;
let dashboard: Dashboard;
beforeAll(async () => {
  database = await createTestDatabase();
  dashboard = await openDashboard({
    DATABASE_URL: database.url,
    STORAGE_CALL_RECORDS_MB: '1',
    STORAGE_CHATS_MB: '20480',
  });
});
afterAll(async () => {
  await dashboard?.close();
  await database?.close();
});

it('the page Workspace shows stored data, quotas, and what is not kept at a quota', async () => {
  const { page, faults } = dashboard.owner;
  await openPlace(page, 'Workspace');
  const table = page.getByRole('table', { name: 'Stored data and quotas' });
  const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) });
  const reloaded = (text: string) =>
    eventually(`the row to show ${text}`, async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Storage' }).waitFor();
      await page.getByText(/Counted|has not been counted yet/).waitFor();
      return (await table.count()) > 0 && (await row('Transcripts and event logs').innerText()).includes(text)
        ? true
        : null;
    });
  await reloaded('Free');
  await row('Recordings').getByText('None').waitFor();
  await row('Chats').getByText('20,480 MB').waitFor();

  await sql`insert into call_records (workspace_id, call_id, event_log, updated_at)
    select w.id, gen_random_uuid(), (select decode(string_agg(md5(n::text), ''), 'hex') from generate_series(1, 80000) n), now()
    from workspaces w`.execute(database.db);
  await sql`update storage_use set due_at = now()`.execute(database.db);
  await reloaded('Full');
  await row('Transcripts and event logs')
    .getByText('Event logs of calls are not kept; transcripts are.')
    .waitFor();
  await row('Tests').getByText('Free').waitFor();
  await inspect(page, 'workspace-storage');
  expect(faults).toEqual([]);
});
