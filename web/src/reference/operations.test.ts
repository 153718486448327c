import { describe, expect, it } from 'vitest';
import { addressOf, matching, sectionsOf } from './operations.ts';

const DOCUMENT = {
  tags: [{ name: 'Calling' }, { name: 'Test cases' }, { name: 'Empty' }],
  paths: {
    '/test-cases': {
      get: { operationId: 'listTestCases', summary: 'List test cases', tags: ['Test cases'] },
      parameters: { summary: 'no operation' },
    },
    '/calling/outbound': { post: { operationId: 'placeCall', summary: 'Place a call', tags: ['Calling'] } },
    '/calling/{call_id}': {
      get: { operationId: 'readCall', summary: 'Read a call', tags: ['Calling'] },
      delete: { operationId: 'endCall', summary: 'Hang up', tags: ['Calling'] },
    },
  },
};
const sections = sectionsOf(DOCUMENT);
const ids = (search: string): string[] =>
  matching(sections, search).flatMap(({ operations }) => operations.map(({ id }) => id));

describe('the list of operations', () => {
  it('has the tags in the order of the document, and none without operations', () => {
    expect(sections.map(({ name, operations }) => [name, operations.length])).toEqual([
      ['Calling', 3],
      ['Test cases', 1],
    ]);
    expect(sections[0]?.operations[0]).toEqual({
      id: 'placeCall',
      method: 'POST',
      path: '/calling/outbound',
      summary: 'Place a call',
    });
  });

  it('finds operations by tag, path, method and summary, every word of them', () => {
    expect(ids('')).toHaveLength(4);
    expect(ids('calling')).toEqual(['placeCall', 'readCall', 'endCall']);
    expect(ids('delete  CALL')).toEqual(['endCall']);
    expect(ids('hang')).toEqual(['endCall']);
    expect(ids('call_id read')).toEqual(['readCall']);
    expect(ids('nothing of it')).toEqual([]);
  });

  it('writes the addresses of Swagger UI', () => {
    expect(addressOf('Test cases')).toBe('#/Test%20cases');
    expect(addressOf('Test cases', 'listTestCases')).toBe('#/Test%20cases/listTestCases');
  });
});
