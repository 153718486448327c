import { newId } from '../../../src/shared/ids.ts';
import type { TestApi } from './api.ts';

/** A disabled receiver of the workspace; returns its id. */
export async function insertReceiver(api: TestApi, workspaceId: string, at: Date): Promise<string> {
  const [id, url] = [newId(), 'https://example.com/receiver'];
  await api.db
    .insertInto('webhook_outages')
    .values({
      workspace_id: workspaceId,
      id,
      target: `POST ${url}`,
      target_key: id,
      url,
      method: 'POST',
      recovers: true,
      since: at,
      failing_from: at,
      last_failed_at: at,
      checked_at: at,
      disabled_at: at,
    })
    .execute();
  return id;
}
