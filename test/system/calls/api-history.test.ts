import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTestAgent } from '../../helpers/api/api.ts';
import { createReader, type Reader } from '../../helpers/api/read-api.ts';

let reader: Reader;
beforeAll(async () => {
  reader = await createReader();
});
afterAll(() => reader.api.close());

describe('GET /calling/history', () => {
  it('filters, pages and counts', async () => {
    const other = await createTestAgent(reader.api, reader.tenant);
    const first = await reader.insertCall({
      created_at: new Date('2026-01-01T00:00:00Z'),
      agent_id: other.agentId,
    });
    const second = await reader.insertCall({
      created_at: new Date('2026-01-02T12:00:00Z'),
      agent_id: other.agentId,
      status: 'failed',
      sub_status: 'BUSY',
      to_number: '+14155550009',
    });
    const third = await reader.insertCall({
      created_at: new Date('2026-01-03T23:59:59.999Z'),
      agent_id: other.agentId,
      call_type: 'inbound',
    });
    const list = async (query: string): Promise<string[]> => {
      const answer = await reader.get(`/api/v0/calling/history?agent_id=${other.agentId}&${query}`);
      expect(answer.status).toBe(200);
      return (answer.body['calls'] as { id: string }[]).map((c) => c.id);
    };
    expect(await list('')).toEqual([third, second, first]);
    expect(await list('limit=1&offset=1')).toEqual([second]);
    expect(await list('status=failed')).toEqual([second]);
    expect(await list('call_type=inbound')).toEqual([third]);
    expect(await list('to_number=%2B14155550009')).toEqual([second]);
    expect(await list('from_number=%2B1')).toEqual([]);
    expect(await list('start_date=2026-01-02')).toEqual([third, second]);
    expect(await list('end_date=2026-01-02')).toEqual([second, first]);
    expect(await list('start_date=2026-01-03&end_date=2026-01-03')).toEqual([third]);
    expect(await list('start_date=2026-01-02T12:00:00Z&end_date=2026-01-02T12:00:00Z')).toEqual([second]);
    expect(await list('start_date=2026-01-02T17:30:01%2B05:30')).toEqual([third]);
    expect(await list(`bulk_list_id=${newId()}`)).toEqual([]);
    expect(await list('bulk_list_id=nonsense')).toEqual([]);
    const page = await reader.get(`/api/v0/calling/history?agent_id=${other.agentId}&limit=2`);
    expect(page.body).toMatchObject({ limit: 2, offset: 0, count: 2, total: 3 });
  });

  it('answers 400 for a limit above 200, and 422 for other invalid values', async () => {
    expect((await reader.get('/api/v0/calling/history?limit=200')).status).toBe(200);
    for (const limit of ['201', '1000000000', '9007199254740993']) {
      const answer = await reader.get(`/api/v0/calling/history?limit=${limit}`);
      expect([answer.status, answer.body['message']]).toEqual([400, 'limit must be at most 200']);
    }
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=abc',
      'limit=NaN',
      'offset=-1',
      'offset=x',
      'status=done',
      'call_type=fax',
      'start_date=yesterday',
      'start_date=2026-02-30',
      'end_date=2026-13-01',
      'end_date=2026-01-01T00:00:00',
      'agent_id=',
      'to_number=%00',
    ]) {
      const answer = await reader.get(`/api/v0/calling/history?${query}`);
      expect([query, answer.status]).toEqual([query, 422]);
      expect(String(answer.body['message']).startsWith(query.split('=')[0]!)).toBe(true);
    }
  });
});
