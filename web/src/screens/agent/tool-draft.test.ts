import { describe, expect, it } from 'vitest';
import { requestDraft, requestTool, toolsEdit } from './tool-draft.ts';

const TOOL = {
  type: 'API_TOOL',
  name: 'find_slots',
  description: 'Finds free times.',
  method: 'POST',
  url: 'https://api.example.com/{clinic}/slots',
  path_params: { clinic: { source: 'variable', name: 'clinic' } },
  query: { limit: 3, strict: true, token: 'abcd***' },
  headers: { authorization: 'Bear***' },
  body: {
    day: { source: 'argument', type: 'string', description: 'The day.', enum: ['Mon'], required: false },
    pin: { source: 'argument', type: 'string', sensitive: true },
  },
  body_format: 'form',
  timeout_seconds: 5,
  result_variables: { slot: 'data.slots[0]' },
};

describe('the form of a request', () => {
  it('gives back an unchanged tool whole, masks and types included', () => {
    expect(requestTool(requestDraft(TOOL), 'on_call')).toEqual(TOOL);
  });

  it('keeps what belongs to one phase out of the others', () => {
    const draft = { ...requestDraft(TOOL), onFailure: 'fail_call' };
    expect(requestTool(draft, 'pre_call')).toMatchObject({ on_failure: 'fail_call' });
    expect(requestTool(draft, 'post_call')).not.toHaveProperty('result_variables');
    expect(requestTool(draft, 'post_call')).not.toHaveProperty('on_failure');
  });

  it('sends a changed number as text, and leaves out empty names', () => {
    const draft = requestDraft({ ...TOOL, query: { limit: 3, page: 1 } });
    const parameters = draft.parameters.map((each) =>
      each.key === 'limit'
        ? { ...each, value: '{{count}}' }
        : each.key === 'page'
          ? { ...each, key: '' }
          : each,
    );
    expect(requestTool({ ...draft, parameters }, 'on_call')['query']).toEqual({ limit: '{{count}}' });
  });
});

it('names the list that is replaced', () => {
  expect(toolsEdit('post_call', [TOOL])).toEqual({
    operation: 'edit_post_call_tools',
    post_call_tools: [TOOL],
  });
});
