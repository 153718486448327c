import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/shared/ids.ts';
import type { Answer } from '../../helpers/api/api.ts';
import { FAQS, openLibrary, type Library } from '../../helpers/knowledge/knowledge-api.ts';

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
});
afterAll(() => library.close());

describe('PATCH /external/kb', () => {
  it('adds, removes and renames', async () => {
    const id = await library.create([
      ['files', 'old.txt', 'The old lobby is blue.'],
      ['faqs', FAQS],
    ]);
    const before = await library.settled(id);
    const answer = await library.form('PATCH', [
      ['kb_id', id],
      ['kb_name', 'Renamed'],
      ['files_to_remove', '["old.txt"]'],
      ['faqs_to_remove', JSON.stringify([before['faqs'][0].id])],
      ['new_faqs', '[{"question":"Is there a lift?","answer":"Yes, two."}]'],
      ['new_files', 'new.txt', 'The new lobby is green.'],
      ['new_urls', JSON.stringify([`${library.site.url}/prices`])],
    ]);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { kb_id: id, processing_status: 'pending', files_queued: 1, urls_queued: 1, faqs_added: 1 },
    ]);
    const after = await library.settled(id);
    expect(after['kb_name']).toBe('Renamed');
    expect(after['files'].map((f: any) => f.name)).toEqual(['new.txt']);
    expect(after['faqs']).toMatchObject([{ question: 'Is there a lift?', answer: 'Yes, two.' }]);
    expect((await library.find(id, 'What colour is the lobby?')).map((c) => c['text'])).toEqual([
      'The new lobby is green.',
    ]);
    expect(await library.find(id, 'Where can I park?')).toEqual([]);
    const removed = await library.api.request('PATCH', '/api/v0/external/kb', {
      key: library.tenant.key,
      body: { kb_id: id, urls_to_remove: [`${library.site.url}/prices`] },
    });
    expect(removed.body).toMatchObject({ processing_status: 'completed' });
    expect((await library.read(id))['urls']).toEqual([]);
  });

  it('rejects invalid changes without a partial change', async () => {
    const id = await library.create([['faqs', FAQS]]);
    const patch = (body: Record<string, unknown>): Promise<Answer> =>
      library.api.request('PATCH', '/api/v0/external/kb', { key: library.tenant.key, body });
    const refusals: [Record<string, unknown>, number, string][] = [
      [{}, 422, 'kb_id is required'],
      [{ kb_id: id }, 422, 'new_files or another change must be given'],
      [
        { kb_id: id, kb_name: 'y', files_to_remove: ['a.txt'] },
        422,
        'files_to_remove[0] is not in this knowledge base',
      ],
      [{ kb_id: id, new_files: ['x'] }, 422, 'new_files must be sent as files'],
      [{ kb_id: newId(), kb_name: 'y' }, 404, 'Knowledge base not found'],
      [{ kb_id: 'x', kb_name: 'y' }, 404, 'Knowledge base not found'],
      [{ kb_id: 'x' }, 422, 'new_files or another change must be given'],
    ];
    for (const [body, status, message] of refusals) {
      const answer = await patch(body);
      expect([answer.status, answer.body['message']]).toEqual([status, expect.stringContaining(message)]);
    }
    expect((await library.read(id))['kb_name']).toBe('Clinic');
  });
});
