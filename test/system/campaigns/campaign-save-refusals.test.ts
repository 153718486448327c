import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTenant, createTestAgent } from '../../helpers/api/api.ts';
import { uploadList } from '../../helpers/campaigns/contact-list.ts';
import { csv, openListDesk, refused, type ListDesk } from '../../helpers/campaigns/list-upload-api.ts';

let desk: ListDesk;
beforeAll(async () => {
  desk = await openListDesk();
});
afterAll(() => desk.close());

describe('POST /campaign/save', () => {
  it.each<[string, Record<string, string>, string]>([
    ['no agent', { agent_id: '' }, 'agent_id is required'],
    ['an unknown field', { agent: 'x' }, 'agent is not a known field'],
    ['a broken map', { variables_map: '{' }, 'variables_map must be a JSON object'],
    ['a map of numbers', { variables_map: '{"a":1}' }, 'variables_map.a must be a string'],
    ['a list as map', { variables_map: '["a"]' }, 'variables_map must be an object'],
    ['a map to no column', { variables_map: '{"order":"Order"}' }, 'variables_map.order names the column'],
    ['a country', { country_code: 'IN' }, 'country_code must be a country calling code'],
    ['a calling code of nobody', { country_code: '+999' }, 'country_code must be a country calling code'],
    ['another date', { campaign_start_time: '2026-01-06 09:30' }, 'campaign_start_time must be a date'],
    [
      'a date that is none',
      { campaign_start_time: '31/02/2026, 09:30' },
      'campaign_start_time must be a date',
    ],
    [
      'an end in the past',
      { campaign_end_time: '05/01/2026, 09:30' },
      'campaign_end_time must be in the future',
    ],
    [
      'an end before the start',
      { campaign_start_time: '07/01/2026, 09:30', campaign_end_time: '06/01/2026, 09:30' },
      'campaign_end_time must be after campaign_start_time',
    ],
    [
      'an unknown zone',
      { call_config: '{"call_time":{"timezone":"IST"}}' },
      'call_config.call_time.timezone',
    ],
    ['too many retries', { call_config: '{"call_retry_config":{"retry_count":11}}' }, 'retry_count'],
    ['a flag that is none', { remove_invalid_rows: 'perhaps' }, 'remove_invalid_rows must be true or false'],
  ])('names the field of a form with %s', async (_what, fields, words) => {
    const before = await desk.leftovers();
    refused(await desk.save({ file: csv('+919876543210,Ravi'), fields }), 422, words);
    expect(await desk.leftovers()).toEqual(before);
  });

  it('names the problem of the file', async () => {
    const before = await desk.leftovers();
    refused(await desk.save({ file: null }), 422, 'file is required');
    refused(await desk.save({ file: '' }), 422, 'file must not be empty');
    refused(await desk.save({ file: null, fields: { file: 'text' } }), 422, 'file must be a file');
    refused(
      await desk.save({ file: 'Number,Name\n+919876543210,R\n' }),
      422,
      'must have a column \\"Mobile Number\\"',
    );
    refused(await desk.save({ file: 'Mobile Number,name\n+919876543210,R\n' }), 422, 'callee_name');
    refused(await desk.save({ file: csv() }), 422, 'has a header but no contacts');
    refused(
      await desk.save({ file: 'Mobile Number,callee_name,Callee_Name\n' }),
      422,
      'twice: in columns 2 and 3',
    );
    refused(await desk.save({ file: 'Mobile Number,callee_name,\n' }), 422, 'has no header in column 3');
    refused(await desk.save({ file: csv('+919876543210,"open') }), 422, 'never closed');
    refused(await desk.save({ file: csv('"+919876543210', '"x,y') }), 422, 'the quotes span lines');
    refused(await desk.save({ file: 'Mobile Number,callee\0name\n+919876543210,R\n' }), 422, 'NUL');
    const json = await desk.api.request('POST', '/api/v0/campaign/save', {
      key: desk.tenant.key,
      body: { agent_id: desk.agentId },
    });
    refused(json, 422, 'file must be sent as a file in a multipart/form-data body');
    expect(await desk.leftovers()).toEqual(before);
  });

  it('checks key, form, agent and header in this order', async () => {
    const before = await desk.leftovers();
    const bad = { file: 'Number\n1\n', fields: { agent_id: newId(), country_code: 'IN' } };
    refused(await uploadList(desk.api, 'save', null, bad), 401, 'Invalid credentials');
    refused(await desk.save(bad), 422, 'country_code');
    refused(await desk.save({ file: 'Number\n1\n', fields: { agent_id: newId() } }), 404, 'Agent not found');
    const { agentId: inbound } = await createTestAgent(desk.api, desk.tenant, { agent_type: 'inbound' });
    refused(await desk.save({ file: 'Number\n1\n', fields: { agent_id: inbound } }), 400, 'inbound agent');
    const other = await createTenant(desk.api);
    refused(await desk.save({ file: csv('+919876543210,R') }, other.key), 404, 'Agent not found');
    expect(await desk.leftovers()).toEqual(before);
  });
});
