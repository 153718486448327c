import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import { createTestAgent, type Answer } from '../../helpers/api/api.ts';
import { FAQS, openLibrary, type Library } from '../../helpers/knowledge/knowledge-api.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

describe('another workspace', () => {
  it('gets 404 for every operation', async () => {
    const id = await library.create([['faqs', FAQS]]);
    const { agentId } = await createTestAgent(library.api, library.other);
    const attempts: [Promise<Answer>, string][] = [
      [library.api.request('GET', `/api/v0/external/kb/${id}`, { key: library.other.key }), 'get'],
      [library.api.request('DELETE', `/api/v0/external/kb/${id}`, { key: library.other.key }), 'delete'],
      [library.query(id, { query: 'park' }, library.other.key), 'query'],
      [
        library.api.request('PATCH', '/api/v0/external/kb', {
          key: library.other.key,
          body: { kb_id: id, kb_name: 'mine' },
        }),
        'patch',
      ],
      [
        library.api.request('PATCH', '/api/v0/agent/v1', {
          key: library.other.key,
          body: { operation: 'attach_kb', agent_id: agentId, kb_id: id },
        }),
        'attach',
      ],
    ];
    for (const [attempt, what] of attempts) {
      const answer = await attempt;
      expect([what, answer.status, answer.body['message']]).toEqual([what, 404, 'Knowledge base not found']);
    }
    const list = await library.api.request('GET', '/api/v0/external/kb/all', { key: library.other.key });
    expect(list.text).toBe('[]');
    expect((await library.read(id))['kb_name']).toBe('Clinic');
  });
});

describe('POST /external/kb/{id}/query', () => {
  it('validates its body and limits the number of chunks', async () => {
    const faqs = Array.from({ length: 12 }, (_, at) => ({
      question: `Is room ${at} quiet?`,
      answer: `Room ${at} is.`,
    }));
    const id = await library.create([['faqs', JSON.stringify(faqs)]]);
    expect((await library.query(id, {})).body['message']).toBe('query is required');
    expect((await library.query(id, { query: 'x', top_k: 21 })).body['message']).toBe(
      'top_k must be at most 20',
    );
    expect((await library.query(id, { query: 'x'.repeat(1001) })).status).toBe(422);
    expect((await library.query('nope', { query: 'x' })).status).toBe(404);
    expect((await library.query(id, { query: '?!', top_k: 3 })).body['chunks']).toEqual([]);
    expect(
      (await library.query(id, { query: "room ' | & ! :* quiet", top_k: 3 })).body['chunks'],
    ).toHaveLength(3);
    expect(await library.find(id, 'quiet room')).toHaveLength(5);
    const scores = (await library.find(id, 'Is room 7 quiet?')).map((c) => c['score']);
    expect(scores[0]).toBe(1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

describe('GET /external/kb/{id}/sources/{source_id}/chunks', () => {
  it('pages through the chunks of a source in its order, at the positions that a search names', async () => {
    const rooms = Array.from(
      { length: 30 },
      (_, at) => `# Room ${at}\n\nRoom ${at} is ${'very '.repeat(120)}quiet.`,
    );
    const id = await library.create([
      ['faqs', FAQS],
      ['files', 'rooms.md', rooms.join('\n\n')],
      ['files', 'blank.txt', ' \n'],
    ]);
    const base = await library.settled(id);
    const [file, blank] = base['files'];
    expect(file.chunks).toBeGreaterThan(25);
    const read = (source: string, query = '', key = library.tenant.key): Promise<Answer> =>
      library.api.request('GET', `/api/v0/external/kb/${id}/sources/${source}/chunks${query}`, { key });
    const first = await read(file.id);
    expect(first.body).toMatchObject({
      source: { id: file.id, type: 'file', name: 'rooms.md', status: 'completed', error: null },
      total: file.chunks,
      limit: 20,
      offset: 0,
    });
    const second = await read(file.id, '?offset=20&limit=100');
    const all = [...(first.body['chunks'] as any[]), ...(second.body['chunks'] as any[])];
    expect(all.map(({ position }) => position)).toEqual(Array.from({ length: file.chunks }, (_, at) => at));
    expect(all[7]).toMatchObject({ heading: 'Room 7', question: null, length: all[7].text.length });
    expect(all.every(({ text, length }) => text.length === length && length > 500)).toBe(true);
    const [found] = await library.find(id, 'Room 7');
    expect(found?.['text']).toBe(all[found?.['position']].text);
    expect((await read(file.id, '?offset=5000')).body['chunks']).toEqual([]);

    const asked = await read(base['faqs'][0].id);
    expect(asked.body['chunks']).toMatchObject([
      { position: 0, question: 'Where can I park?', heading: null },
    ]);
    expect((await read(blank.id)).body).toMatchObject({
      source: { status: 'failed', error: expect.stringContaining('text') },
      total: 0,
      chunks: [],
    });
    expect((await read(file.id, '?limit=101')).status).toBe(400);
    for (const source of ['nope', id]) {
      expect([source, (await read(source)).body['message']]).toEqual([
        source,
        'Source of the knowledge base not found',
      ]);
    }
    expect((await read(file.id, '', library.other.key)).body['message']).toBe('Knowledge base not found');
  });
});

describe('attach_kb and remove_kb', () => {
  it('change the agent and block the deletion of the knowledge base', async () => {
    const id = await library.create([['faqs', FAQS]]);
    const { agentId, versionId } = await createTestAgent(library.api, library.tenant);
    const edit = (operation: string, kbId: unknown): Promise<Answer> =>
      library.api.request('PATCH', '/api/v0/agent/v1', {
        key: library.tenant.key,
        body: { operation, agent_id: agentId, kb_id: kbId },
      });
    const shown = async (): Promise<unknown> => {
      const answer = await library.api.request('GET', `/api/v0/agent/${agentId}`, {
        key: library.tenant.key,
      });
      return (answer.body['agents'] as any).version_details[versionId].knowledge_bases;
    };
    const remove = (): Promise<Answer> =>
      library.api.request('DELETE', `/api/v0/external/kb/${id}`, { key: library.tenant.key });

    expect(await edit('attach_kb', newId())).toMatchObject({
      status: 404,
      body: { message: 'Knowledge base not found' },
    });
    expect(await edit('attach_kb', 'x')).toMatchObject({ status: 404 });
    expect(await edit('attach_kb', 5)).toMatchObject({
      status: 422,
      body: { message: 'kb_id must be a string' },
    });
    expect(await edit('remove_kb', id)).toMatchObject({
      status: 400,
      body: { code: 'KNOWLEDGE_BASE_NOT_ATTACHED' },
    });
    expect((await edit('attach_kb', id)).body).toMatchObject({ agent_id: agentId });
    expect((await edit('attach_kb', id)).status).toBe(200);
    expect(await shown()).toEqual([{ knowledge_base_id: id, knowledge_base_name: 'Clinic' }]);
    expect((await library.read(id))['agents']).toEqual([
      { agent_id: agentId, agent_display_name: 'Reminder' },
    ]);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'KNOWLEDGE_BASE_ATTACHED' } });
    expect((await edit('remove_kb', id)).status).toBe(200);
    expect(await shown()).toEqual([]);
    expect(await remove()).toMatchObject({ status: 200, body: { kb_id: id } });
    expect((await remove()).status).toBe(404);
    expect(
      (await library.api.request('GET', `/api/v0/external/kb/${id}`, { key: library.tenant.key })).status,
    ).toBe(404);
  });

  it('never leave an agent with a deleted knowledge base in a race', async () => {
    const { agentId } = await createTestAgent(library.api, library.tenant);
    for (let round = 0; round < 8; round += 1) {
      const id = await library.create([['faqs', FAQS]]);
      const [attached, deleted] = await Promise.all([
        library.api.request('PATCH', '/api/v0/agent/v1', {
          key: library.tenant.key,
          body: { operation: 'attach_kb', agent_id: agentId, kb_id: id },
        }),
        library.api.request('DELETE', `/api/v0/external/kb/${id}`, { key: library.tenant.key }),
      ]);
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([attached.status, deleted.status]);
      if (attached.status === 200) {
        await library.api.request('PATCH', '/api/v0/agent/v1', {
          key: library.tenant.key,
          body: { operation: 'remove_kb', agent_id: agentId, kb_id: id },
        });
      }
    }
  });
});
