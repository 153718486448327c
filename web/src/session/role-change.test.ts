import { expect, it } from 'vitest';
import { roleChange } from './role-change.ts';

const account = (...roles: readonly (readonly [id: string, role: 'owner' | 'viewer'])[]) => ({
  workspaces: roles.map(([id, role]) => ({
    id,
    name: `The ${id}`,
    parent_workspace_id: null,
    timezone: 'UTC',
    country: null,
    role,
  })),
});

it('names the new role in the open workspace, and a membership that ended', () => {
  expect(roleChange(account(['shop', 'owner']), account(['shop', 'viewer']), 'shop')).toBe(
    'Your role in The shop is now viewer.',
  );
  expect(roleChange(account(['shop', 'owner']), account(['other', 'owner']), 'shop')).toBe(
    'You are no longer a member of The shop.',
  );
});

it('is silent about other workspaces and an unchanged role', () => {
  const before = account(['shop', 'owner'], ['other', 'owner']);
  expect(roleChange(before, account(['shop', 'owner'], ['other', 'viewer']), 'shop')).toBeNull();
  expect(roleChange(before, before, null)).toBeNull();
});
