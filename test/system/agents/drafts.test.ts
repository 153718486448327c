import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTenant, type Answer } from '../../helpers/api/api.ts';
import { openAgentDesk, split, type AgentDesk, type DeskVersion } from '../../helpers/agents/agent-api.ts';

let desk: AgentDesk;
beforeAll(async () => {
  desk = await openAgentDesk({ unlimited: true });
});
beforeEach(() => desk.renew());
afterAll(() => desk.api.close());

interface Draft {
  version_id: string;
  tag: string;
  live_tag: string;
  is_behind: boolean;
  changes: number;
  version: DeskVersion;
}

const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer> =>
  desk.api.request(method, `/api/v0/agent/${desk.agentId}/${path}`, {
    key: desk.tenant.key,
    ...(body === undefined ? {} : { body }),
  });
const draftOf = async (method: 'GET' | 'POST' = 'GET'): Promise<Draft> => {
  const answer = await ask(method, 'draft');
  expect(answer.status).toBe(200);
  return answer.body['draft'] as Draft;
};
const say = (intro_message: string, version_id?: string, ifMatch?: string): Promise<Answer> =>
  desk.api.request('PATCH', '/api/v0/agent/v1', {
    key: desk.tenant.key,
    body: { operation: 'edit_intro_message', agent_id: desk.agentId, intro_message, version_id },
    headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
  });
const spoken = async (): Promise<unknown> => (await desk.shown()).version.agent_config.intro_message;
const paths = (changes: unknown): string[] => (changes as { path: string }[]).map(({ path }) => path);

describe('a draft', () => {
  it('changes nothing until it is published as a version with note and author', async () => {
    const draft = await draftOf('POST');
    expect(draft).toMatchObject({
      author: expect.stringContaining('cw_') as string,
      base_version_id: desk.first,
      live_version_id: desk.first,
      is_behind: false,
      changes: 0,
      version: { agent_config: { intro_message: 'Hello, this is Asha.' } },
    });
    expect((await draftOf('POST')).version_id).toBe(draft.version_id);
    expect((await say('Good morning, this is Asha.', draft.version_id)).status).toBe(200);
    expect(await spoken()).toBe('Hello, this is Asha.');
    expect(Object.keys((await desk.read()).version_details)).toEqual([desk.first]);
    expect(await desk.versionOf(await desk.place())).toBe(desk.first);
    const difference = await ask('GET', 'draft/difference');
    expect(difference.body['difference']).toEqual({
      draft: [
        {
          path: 'agent_config.intro_message',
          change: 'changed',
          before: 'Hello, this is Asha.',
          after: 'Good morning, this is Asha.',
          words: [
            { change: 'removed', text: 'Hello,' },
            { change: 'added', text: 'Good morning,' },
            { change: 'same', text: ' this is Asha.' },
          ],
        },
      ],
      live: [],
      conflicts: [],
    });

    desk.api.clock.advance(1000);
    const published = await ask('POST', 'draft/publish', { note: 'Warmer greeting' });
    expect(published.status).toBe(200);
    const id = published.body['version_id'];
    expect([published.body['version_slug'], await spoken()]).toEqual(['v2', 'Good morning, this is Asha.']);
    expect(await desk.versionOf(await desk.place())).toBe(id);
    expect((await ask('GET', 'draft')).status).toBe(404);
    const history = await ask('GET', 'versions');
    expect(history.body).toMatchObject({
      active_version_id: id,
      total: 2,
      versions: [
        { version_id: id, note: 'Warmer greeting', author: expect.stringContaining('cw_') as string },
        { version_id: desk.first, note: '', author: null },
      ],
    });
    const audit = await desk.api.request('GET', `/api/v0/workspace/audit-log?object_id=${desk.agentId}`, {
      key: desk.tenant.key,
    });
    const actions = (audit.body['entries'] as { action: string }[]).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['openDraft', 'publishDraft']));
  });

  it('that two people edit and publish is published once, and the other gets 409 with the difference', async () => {
    const read = await draftOf('POST');
    expect((await say('Good morning.', read.version_id, read.tag)).status).toBe(200);
    const edit = await say('Good evening.', read.version_id, read.tag);
    expect([edit.status, edit.body['code']]).toEqual([409, 'DRAFT_MOVED']);
    expect(edit.body['difference']).toMatchObject({ draft: [{ after: 'Good morning.' }] });
    const refused = await ask('POST', 'draft/publish', { if_draft: read.tag });
    expect([refused.status, refused.body['code']]).toEqual([409, 'DRAFT_MOVED']);
    expect(refused.body['difference']).toMatchObject({ draft: [{ after: 'Good morning.' }], live: [] });
    expect(await spoken()).toBe('Hello, this is Asha.');

    const seen = (await draftOf()).tag;
    expect(refused.body['draft_tag']).toBe(seen);
    const both = await Promise.all([1, 2].map(() => ask('POST', 'draft/publish', { if_draft: seen })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(await spoken()).toBe('Good morning.');
    const late = await say('Good night.', read.version_id);
    expect([late.status, late.body['code']]).toEqual([409, 'DRAFT_CLOSED']);
    expect(await spoken()).toBe('Good morning.');
  });

  it('over a version that moved answers 409 with both sides, and keeps both until one is chosen', async () => {
    const draft = await draftOf('POST');
    await say('From the draft.', draft.version_id);
    await desk.edit({ operation: 'edit_voice_speed', voice_speed: 1.3, version_id: draft.version_id });
    await say('From the API.');
    await desk.edit({ operation: 'edit_vocab', vocab: ['Riverside'] });
    const refused = await ask('POST', 'draft/publish', {});
    expect([refused.status, refused.body['code']]).toEqual([409, 'VERSION_MOVED']);
    const difference = refused.body['difference'] as Record<string, unknown>;
    expect(paths(difference['draft'])).toEqual(
      expect.arrayContaining(['agent_config.intro_message', 'agent_config.voice_speed']),
    );
    expect(paths(difference['live'])).toEqual(
      expect.arrayContaining(['agent_config.intro_message', 'agent_config.vocab']),
    );
    expect(difference['conflicts']).toEqual(['agent_config.intro_message']);
    expect([await spoken(), (await draftOf()).is_behind, (await draftOf()).changes]).toEqual([
      'From the API.',
      true,
      2,
    ]);
    // The person takes the other side's words over and publishes in place of what they saw.
    await desk.edit({ operation: 'edit_vocab', vocab: ['Riverside'], version_id: draft.version_id });
    const merged = await ask('POST', 'draft/publish', { if_live: refused.body['live_tag'] });
    expect(merged.status).toBe(200);
    expect((await desk.shown()).version.agent_config).toMatchObject({
      intro_message: 'From the draft.',
      voice_speed: 1.3,
      vocab: ['Riverside'],
    });
  });

  it('that is discarded leaves the agent, and another begins from the active version', async () => {
    const draft = await draftOf('POST');
    await say('Never said.', draft.version_id);
    const moved = await ask('DELETE', `draft?if_draft=${draft.tag}`);
    expect([moved.status, moved.body['code']]).toEqual([409, 'DRAFT_MOVED']);
    expect((await ask('DELETE', 'draft')).status).toBe(200);
    expect((await ask('DELETE', 'draft')).status).toBe(404);
    const next = await draftOf('POST');
    expect(next.version_id).not.toBe(draft.version_id);
    expect(next.version.agent_config.intro_message).toBe('Hello, this is Asha.');
  });

  it('neither becomes active nor takes part in an A/B test', async () => {
    const { version_id } = await draftOf('POST');
    const active = await desk.edit({ operation: 'activate_version', version_id });
    expect([active.status, active.body['code']]).toEqual([409, 'DRAFT_NOT_PUBLISHED']);
    expect((await desk.edit(split(desk.first, version_id))).status).toBe(404);
    expect((await ask('POST', 'rollback', { version_id })).status).toBe(404);
  });

  it('of another workspace answers 404', async () => {
    await draftOf('POST');
    const { key } = await createTenant(desk.api);
    for (const [method, path] of [
      ['GET', 'draft'],
      ['POST', 'draft'],
      ['DELETE', 'draft'],
      ['GET', 'draft/difference'],
      ['GET', 'versions'],
    ] as const) {
      const url = `/api/v0/agent/${desk.agentId}/${path}`;
      expect((await desk.api.request(method, url, { key })).status).toBe(404);
    }
  });
});

describe('a rollback', () => {
  it('makes a new version that equals the old one', async () => {
    await draftOf('POST');
    await say('Second.', (await draftOf()).version_id);
    const second = (await ask('POST', 'draft/publish', { note: 'Second' })).body['version_id'];
    const called = await desk.place();
    const back = await ask('POST', 'rollback', { version_id: desk.first });
    expect([back.status, back.body['version_slug'], await spoken()]).toEqual([
      200,
      'v3',
      'Hello, this is Asha.',
    ]);
    expect((await desk.shown()).version.description).toBe('Back to v1');
    expect([await desk.versionOf(called), await desk.versionOf(await desk.place())]).toEqual([
      second,
      back.body['version_id'],
    ]);
    const compare = (version_id: unknown, other: unknown): Promise<Answer> =>
      ask('GET', `versions/difference?version_id=${String(version_id)}&other_version_id=${String(other)}`);
    expect((await compare(desk.first, back.body['version_id'])).body['changes']).toEqual([]);
    expect(paths((await compare(second, back.body['version_id'])).body['changes'])).toEqual([
      'agent_config.intro_message',
    ]);
  });

  it('is refused where the active version is not the one that was read', async () => {
    const seen = (await ask('GET', 'versions')).body['active_tag'];
    await say('From a script.', desk.first);
    const refused = await ask('POST', 'rollback', { version_id: desk.first, if_live: seen });
    const now = (await ask('GET', 'versions')).body['active_tag'];
    expect([refused.status, refused.body['code'], refused.body['live_tag']]).toEqual([
      409,
      'VERSION_MOVED',
      now,
    ]);
    expect((await ask('GET', 'versions')).body['total']).toBe(1);
    const taken = await ask('POST', 'rollback', { version_id: desk.first, if_live: now });
    expect([taken.status, taken.body['version_slug']]).toEqual([200, 'v2']);
  });

  it('leaves the newest fifty versions in the record, and all in the history', async () => {
    for (let i = 0; i < 51; i += 1) {
      desk.api.clock.advance(1000);
      expect((await ask('POST', 'rollback', { version_id: desk.first })).status).toBe(200);
    }
    const listed = Object.values((await desk.read()).version_details).map((version) => version.version_slug);
    expect([listed.length, listed.includes('v1'), listed.includes('v52')]).toEqual([50, false, true]);
    const history = await ask('GET', 'versions?limit=200');
    expect(history.body['total']).toBe(52);
  });
});
