import { assert, constantFrom, dictionary, jsonValue, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArgumentError, inputSchemaOf, requestOf, type ApiOperation, type Arguments } from './operations.ts';

const text = { type: 'string', 'x-rule': 'must be text' };
const run: ApiOperation = {
  method: 'POST',
  path: '/api/v0/agent/:agent_id/test-cases/run',
  summary: '',
  description: '',
  params: { properties: { agent_id: text }, required: ['agent_id'] },
  query: { properties: { wait: text } },
  body: { properties: { case_ids: { type: 'array' } }, required: ['case_ids'] },
  shapes: [],
};
const list: ApiOperation = {
  ...run,
  method: 'GET',
  path: '/api/v0/calling/history',
  params: {},
  body: null,
};

/** The path that the arguments reach, or why no request carries them. */
function reached(given: Arguments): string {
  try {
    return new URL(requestOf(run, given).url, 'http://x').pathname;
  } catch (error) {
    if (error instanceof ArgumentError) return error.message;
    throw error;
  }
}

describe('requestOf', () => {
  it('sorts arguments into path, query and body', () => {
    expect(requestOf(run, { agent_id: 'a-1', wait: 5, case_ids: ['c'], other: null })).toEqual({
      method: 'POST',
      url: '/api/v0/agent/a-1/test-cases/run?wait=5',
      body: { case_ids: ['c'], other: null },
    });
  });

  it('sends what a GET operation does not know as a parameter, which its route refuses', () => {
    const { url, body } = requestOf(list, { limt: 3, wait: null });
    expect([url, body]).toEqual(['/api/v0/calling/history?limt=3', null]);
  });

  it('refuses a list as a parameter', () => {
    expect(() => requestOf(list, { wait: ['a'] })).toThrow(
      new ArgumentError('wait must be text, a number, true or false'),
    );
  });

  it('reaches the path of its operation alone, whatever the arguments are', () => {
    const id = oneof(string(), constantFrom('..', '.', '../x', 'a/b', '%2e%2e', '?'), jsonValue());
    assert(
      property(id, dictionary(string(), string()), (agent_id, more) => {
        const wanted = typeof agent_id === 'string' ? `/api/v0/agent/${agent_id}/test-cases/run` : '';
        expect([wanted, 'agent_id must be an id']).toContain(reached({ ...more, agent_id }));
      }),
    );
  });
});

it('inputSchemaOf joins path, query and body without the keywords of this service', () => {
  expect(inputSchemaOf(run)).toEqual({
    type: 'object',
    properties: { agent_id: { type: 'string' }, wait: { type: 'string' }, case_ids: { type: 'array' } },
    required: ['agent_id', 'case_ids'],
  });
});
