import { describe, expect, it } from 'vitest';
import { downloadRecording, each } from '../src/index.ts';
import { json, scripted } from './scripted.ts';

describe('each', () => {
  it('reads pages by offset until one is not full', async () => {
    const page = (ids: readonly number[]) => json(200, { data: { agents: ids.map((id) => ({ id })) } });
    const { client, sent } = scripted([page([1, 2]), page([3, 4]), page([5])]);
    const ids: unknown[] = [];
    for await (const agent of each(client, 'listAgents', { limit: 2 })) ids.push(agent);
    expect(ids).toEqual([1, 2, 3, 4, 5].map((id) => ({ id })));
    expect(sent.map(({ url }) => new URL(url).searchParams.get('offset'))).toEqual(['0', '2', '4']);
    expect(sent.every(({ url }) => new URL(url).searchParams.get('limit') === '2')).toBe(true);
  });

  it('follows cursors until there is none', async () => {
    const page = (id: string, next: string | null) => json(200, { contacts: [{ id }], next_cursor: next });
    const { client, sent } = scripted([page('a', 'x'), page('b', null)]);
    const ids: unknown[] = [];
    for await (const contact of each(client, 'listCampaignContacts', { campaign_id: 'c' })) ids.push(contact);
    expect(ids).toEqual([{ id: 'a' }, { id: 'b' }]);
    expect(sent.map(({ url }) => new URL(url).searchParams.get('cursor'))).toEqual([null, 'x']);
  });
});

describe('downloadRecording', () => {
  it('opens the link without the key, in part if asked, and throws the refusal', async () => {
    const asked: Headers[] = [];
    const open = (response: Response) =>
      downloadRecording('http://callwright.test/recordings/a.wav?t=1', {
        range: 'bytes=0-3',
        fetch: (_url, init) => {
          asked.push(new Headers(init?.headers));
          return Promise.resolve(response);
        },
      });
    expect(await (await open(new Response('RIFF', { status: 206 }))).text()).toBe('RIFF');
    expect([asked[0]?.get('range'), asked[0]?.has('x-api-key')]).toEqual(['bytes=0-3', false]);
    await expect(
      open(Response.json({ message: 'The link has ended' }, { status: 410 })),
    ).rejects.toMatchObject({
      status: 410,
      message: 'The link has ended',
    });
  });
});
