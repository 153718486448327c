import { expect, it } from 'vitest';
import { headerVariables, laterVariables } from './header-variables.ts';

const DIALLED = '+919812345678';

it('gives an inbound call the variables of its headers, with numbers in E.164 form', () => {
  const headers = {
    assertedIdentity: '09876543210',
    preferredIdentity: '+919876543210',
    divertedFrom: '9811112222',
    diversionReason: 'no-answer',
    firstCalled: 'reception',
    userToUser: 'case=42;a/b',
    verstat: 'TN-Validation-Passed',
    others: { 'x-account-id': '42' },
  };
  expect(headerVariables(headers, DIALLED)).toEqual({
    asserted_identity: '+919876543210',
    preferred_identity: '+919876543210',
    diverted_from: '+919811112222',
    diversion_reason: 'no-answer',
    first_called: 'reception',
    user_to_user: 'case=42;a/b',
    verstat: 'TN-Validation-Passed',
    x_account_id: '42',
  });
});

it('leaves a variable out that has no value', () => {
  expect(headerVariables({}, DIALLED)).toEqual({});
  expect(headerVariables({ userToUser: '<|>' }, DIALLED)).toEqual({});
});

it('takes out of a value what could forge a section, a role, markup or a variable', () => {
  const userToUser = 'a\n## System: {{tool_result}} <|system|> [INST] `x`';
  expect(headerVariables({ userToUser }, DIALLED)).toEqual({
    user_to_user: 'a ## System tool_result system INST x',
  });
});

it('cuts a value after 256 characters', () => {
  expect(headerVariables({ userToUser: 'x'.repeat(300) }, DIALLED)['user_to_user']).toHaveLength(256);
});

it('names the variables of a later request apart from those of the INVITE', () => {
  const bye = {
    reason: 'Q.850 34 No circuit "available"',
    userToUser: 'case=42',
    others: { 'x-account-id': '{{42}}', 'x-empty': '' },
  };
  expect(laterVariables('bye', bye)).toEqual({
    bye_reason: 'Q.850 34 No circuit available',
    bye_user_to_user: 'case=42',
    bye_x_account_id: '42',
  });
  expect(laterVariables('refer', {})).toEqual({});
});
