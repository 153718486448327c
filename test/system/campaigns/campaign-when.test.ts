import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestAgent } from '../../helpers/api/api.ts';
import { insertCampaign } from '../../helpers/campaigns/campaigns.ts';
import { csv, ok, openListDesk, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

const file = csv('+14155550123,Ravi');
/** The clock of the desk stands at 2026-01-05T10:00:00Z. */
const save = (fields: Record<string, string>) => desk.save({ file, fields });
/** The message of a refused upload. */
const refusal = async (fields: Record<string, string>): Promise<string> => {
  const { status, text } = await save(fields);
  return `${status} ${text}`;
};
const codes = (body: Record<string, any>) => body['warnings'].map(({ code }: { code: string }) => code);

describe('the times of a campaign', () => {
  it('are taken in ISO 8601 with an offset and as local times, and answered in ISO', async () => {
    const body = ok(
      await save({
        campaign_start_time: '2026-05-01T09:30:00-07:00',
        campaign_end_time: '02/05/2026, 18:00',
        call_config: JSON.stringify({ call_time: { timezone: 'America/Los_Angeles' } }),
      }),
    );
    expect(body).toMatchObject({
      campaign_start_time: '2026-05-01T16:30:00.000Z',
      campaign_end_time: '2026-05-03T01:00:00.000Z',
    });
    const stored = await desk.campaignOf(body['list_id']);
    expect(stored.start_at?.toISOString()).toBe('2026-05-01T16:30:00.000Z');
  });

  it.each(['2026-05-01T09:30:00', '2026-05-01 09:30', '2026-05-01T09:30'])(
    'are refused in ISO 8601 without an offset: %s',
    async (campaign_start_time) => {
      expect(await refusal({ campaign_start_time })).toMatch(/^422 .*without one it names no instant/u);
    },
  );

  it.each(['2026-02-30T09:30:00Z', '2026-13-01T09:30:00Z', '2026-05-01T25:30:00Z', '2026-05-01'])(
    'are refused when no calendar has them: %s',
    async (campaign_start_time) => {
      expect(await refusal({ campaign_start_time })).toMatch(
        /^422 .*campaign_start_time must be a date and time/u,
      );
    },
  );

  it('compare as instants, also of different forms', async () => {
    const times = {
      campaign_start_time: '2026-05-01T09:30:00+05:30',
      campaign_end_time: '01/05/2026, 09:00',
    };
    expect(await refusal(times)).toMatch(/^422 .*campaign_end_time must be after campaign_start_time/u);
  });

  it('may begin in the past, which the answer says, and may not end there', async () => {
    const body = ok(await save({ campaign_start_time: '2026-01-05T09:00:00Z' }));
    expect(codes(body)).toContain('START_IN_PAST');
    expect(codes(ok(await save({ campaign_start_time: '2026-01-05T11:00:00Z' })))).not.toContain(
      'START_IN_PAST',
    );
    expect(await refusal({ campaign_end_time: '2026-01-05T09:00:00Z' })).toMatch(
      /^422 .*campaign_end_time must be in the future/u,
    );
  });
});

describe('a list with empty cells', () => {
  it('refuses the rows that lack a value which the agent says without a fallback', async () => {
    const { agentId } = await createTestAgent(desk.api, desk.tenant, {
      intro_message: 'Hello {{callee_name}}, your appointment is on {{day}} at {{place|our clinic}}.',
    });
    const list = [
      'Mobile Number,callee_name,day,place,note',
      '+14155550101,Ana,Monday,,',
      '+14155550102,Bo,,Main St,x',
    ];
    list.push('+14155550103, ,Tuesday,Main St,x', '+14155550104,Cy,Friday,Main St,x', '');
    const answer = await desk.save({
      file: list.join('\n'),
      fields: { agent_id: agentId, remove_invalid_rows: 'true' },
    });
    const body = ok(answer);
    expect(body['invalid_rows'].map((row: any) => [row.row, row.column, row.reason])).toEqual([
      [2, 'day', 'is empty, and the agent says it: {{day}} has no fallback'],
      [3, 'callee_name', 'is empty, and the agent says it: {{callee_name}} has no fallback'],
    ]);
    expect((await desk.callsOf(body['list_id'])).map(({ to_number: to }) => to)).toEqual([
      '+14155550101',
      '+14155550104',
    ]);
  });

  it('needs no column for a variable whose every use has a fallback', async () => {
    const { agentId } = await createTestAgent(desk.api, desk.tenant, {
      intro_message: 'Hello, your appointment is at {{place|our clinic}}.',
    });
    expect((await desk.save({ file, fields: { agent_id: agentId } })).status).toBe(200);
  });
});

const NUMBERS = ['+12125550101', '+12125550102', '+14155550101', '+46701234567'];
const previewOf = async (id: unknown) =>
  ok(await desk.api.request('GET', `/api/v0/campaign/${String(id)}/preview`, { key: desk.tenant.key }));

describe('GET /campaign/{campaign_id}/preview', () => {
  it('counts the contacts that would be called now, and says on their clocks when the others follow', async () => {
    const call_config = JSON.stringify({ call_time: { use_callee_timezone: true } });
    const rows = NUMBERS.map((number) => `${number},x`);
    const { list_id: id } = ok(await desk.save({ file: csv(...rows), fields: { call_config } }));
    expect(await previewOf(id)).toEqual({
      campaign_id: id,
      starts_at: '2026-01-05T10:00:00.000Z',
      calling_window: expect.objectContaining({ source: 'campaign', use_callee_timezone: true }),
      contacts: { waiting: 4, callable: 1, outside_window: 3 },
      warnings: [expect.objectContaining({ code: 'WINDOW_CLOSED' })],
      zones: [
        {
          timezones: ['America/New_York'],
          contacts: 2,
          local_time: '2026-01-05T05:00:00-05:00',
          is_open: false,
          opens_at: '2026-01-05T09:00:00-05:00',
          is_night: false,
        },
        {
          timezones: ['America/Los_Angeles'],
          contacts: 1,
          local_time: '2026-01-05T02:00:00-08:00',
          is_open: false,
          opens_at: '2026-01-05T09:00:00-08:00',
          is_night: false,
        },
        {
          timezones: ['Europe/Stockholm'],
          contacts: 1,
          local_time: '2026-01-05T11:00:00+01:00',
          is_open: true,
          opens_at: null,
          is_night: false,
        },
      ],
    });
  });

  it('says where the default window rings phones at night', async () => {
    const { list_id: id } = ok(await desk.save({ file: csv('+14155550101,x', '+46701234567,y') }));
    const body = await previewOf(id);
    expect(codes(body)).toEqual(['DEFAULT_CALL_TIME', 'NIGHT_AT_CALLEE']);
    expect(body['warnings'][1].message).toMatch(/^1 of 2 contacts .* such as 02:00 in America\/Los_Angeles/u);
  });

  it('counts the waiting contacts of a campaign that was imported before lists were counted by zone', async () => {
    const agent = { agentId: desk.agentId, versionId: desk.versionId };
    const id = await insertCampaign(desk.api, desk.tenant, agent, {
      contacts: NUMBERS.map((number) => ({ number })),
    });
    await desk.api.db
      .updateTable('calls')
      .set({ status: 'cancelled' })
      .where('campaign_id', '=', id)
      .where('to_number', '=', '+46701234567')
      .execute();
    const body = await previewOf(id);
    expect(body['contacts']).toEqual({ waiting: 3, callable: 3, outside_window: 0 });
    expect(body['zones'].map((zone: any) => zone.contacts)).toEqual([2, 1]);
  });

  it('begins at the start time of the campaign', async () => {
    const times = { campaign_start_time: '2026-01-06T17:30:00Z' };
    const { list_id: id } = ok(await save(times));
    expect((await previewOf(id))['starts_at']).toBe('2026-01-06T17:30:00.000Z');
  });

  it('answers 404 for a campaign of another workspace', async () => {
    const answer = await desk.api.request(
      'GET',
      '/api/v0/campaign/00000000-0000-4000-8000-000000000000/preview',
      { key: desk.tenant.key },
    );
    expect(answer.status).toBe(404);
  });
});
