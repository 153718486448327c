import { describe, expect, it } from 'vitest';
import {
  definitionOf,
  draftOf,
  NEW_RESULT,
  newExpectation,
  type CaseDraft,
  type Definition,
} from './case-draft.ts';
import { loggedTools, proposalOf } from './proposal.ts';
import { summaryOf } from './results.ts';

const DEFINITION: Definition = {
  name: 'Books Tuesday',
  custom_args_values: { callee_name: 'Priya' },
  lines: ['Yes.', 'Tuesday.'],
  expectations: [
    { type: 'says', any_of: ['ten', 'at 10'], turn: 2 },
    { type: 'never_says', any_of: ['discount'] },
    { type: 'calls_tool', tool: 'find_slots', arguments: { day: 'Tuesday' } },
    { type: 'never_calls_tool', tool: 'send_sms', turn: 0 },
    { type: 'ends', as: ['AGENT_ENDED', 'OPEN'] },
    { type: 'criterion', criterion: 'It is polite.' },
  ],
  tool_results: [
    {
      tool: 'find_slots',
      arguments: { day: 'Tuesday' },
      ok: false,
      result: { slot: 'ten' },
      variables: { slot: 'ten' },
    },
    { tool: 'find_slots', ok: true, result: 'plain words' },
  ],
};
const draft = (more: Partial<CaseDraft>): CaseDraft => ({
  name: 'Case',
  lines: 'Yes.',
  variables: [],
  expectations: [],
  results: [],
  ...more,
});
const problemOf = (more: Partial<CaseDraft>): string | null => {
  const made = definitionOf(draft(more));
  return 'problem' in made ? made.problem : null;
};

describe('the form of a test case', () => {
  it('sends what it shows', () => {
    expect(definitionOf(draftOf(DEFINITION))).toEqual({ definition: DEFINITION });
  });

  it('names what is missing', () => {
    const tool = newExpectation('calls_tool');
    expect(problemOf({})).toBeNull();
    expect(problemOf({ name: ' ' })).toBe('Give the case a name.');
    expect(problemOf({ expectations: [newExpectation('says')] })).toBe('Expectation 1 needs words.');
    expect(problemOf({ expectations: [{ ...newExpectation('says'), phrases: 'a', turn: '2' }] })).toContain(
      'line 2',
    );
    expect(problemOf({ expectations: [tool] })).toContain('name of a tool');
    expect(problemOf({ expectations: [{ ...tool, tool: 'x', args: '[1]' }] })).toContain('JSON object');
    expect(problemOf({ expectations: [{ ...newExpectation('ends'), ends: [] }] })).toContain('way to end');
    expect(problemOf({ expectations: [newExpectation('criterion')] })).toContain('needs its words');
    expect(problemOf({ results: [NEW_RESULT] })).toBe('Answer 1 needs the name of a tool.');
  });
});

describe('the proposal of a conversation', () => {
  it('has its lines, its tools with what they answered, and its end', () => {
    const log = [
      { name: 'before', args: {}, result: 1, ok: true, phase: 'pre_call' },
      {
        name: 'find_slots',
        args: { day: 'Friday', pin: '***' },
        result: { slot: 9 },
        ok: true,
        phase: 'on_call',
      },
      { name: 'note', args: {}, result: { status: 'not run', dry_run: true }, ok: true },
      { name: 'end_call', args: {}, result: {}, ok: true, phase: 'on_call' },
    ];
    const made = proposalOf({
      name: 'A case',
      variables: { callee_name: 'Priya' },
      lines: ['Yes,\nspeaking.', ' '],
      tools: loggedTools(log),
      end: 'AGENT_ENDED',
    });
    expect(made).toEqual({
      name: 'A case',
      custom_args_values: { callee_name: 'Priya' },
      lines: ['Yes, speaking.'],
      expectations: [
        { type: 'calls_tool', tool: 'find_slots', arguments: { day: 'Friday' } },
        { type: 'calls_tool', tool: 'note' },
        { type: 'ends', as: ['AGENT_ENDED'] },
      ],
      tool_results: [{ tool: 'find_slots', ok: true, result: { slot: 9 } }],
    });
  });

  it('leaves out an end that the caller or the line caused', () => {
    const of = { name: '', variables: {}, lines: [], tools: [] };
    expect(proposalOf({ ...of, end: 'USER_LEFT' }).expectations).toEqual([]);
    expect(proposalOf({ ...of, end: null }).expectations).toEqual([]);
  });
});

describe('the results of a version', () => {
  it('are counted where neither case nor version has changed since', () => {
    const of = (result: 'passed' | 'failed' | null, isCurrent = true) => ({
      ...DEFINITION,
      id: 'c',
      case_id: 'c',
      agent_id: 'a',
      created_at: '',
      updated_at: '',
      last_results:
        result === null
          ? []
          : [{ version_id: 'v', run_id: 'r', result, ended_at: '', is_current: isCurrent }],
    });
    expect(summaryOf([of('passed'), of('passed'), of('failed'), of('passed', false), of(null)], 'v')).toBe(
      '2 passed, 1 failed, 2 not run since the last change',
    );
    expect(summaryOf([of('passed')], 'other')).toBe('1 not run since the last change');
  });
});
