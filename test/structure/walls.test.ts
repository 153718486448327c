import { expect, it } from 'vitest';
import { productFiles } from './sources.ts';

const callersOf = (name: string): string[] =>
  productFiles()
    .filter(({ file, text }) => file !== 'src/shared/shares/tenant.ts' && text.includes(`${name}(`))
    .map(({ file }) => file.slice('src/'.length));

it('the work of a request sees rows of other workspaces in these files only', () => {
  // An owner helps a member of several workspaces, all of which decide; and the workspaces that an owner can open are listed.
  expect(callersOf('seeingAll')).toEqual([
    'domain/users/recovery.ts',
    'domain/workspaces/read-workspaces.ts',
  ]);
  // Batches and polls that requests of several workspaces share.
  expect(callersOf('forAllTenants')).toEqual([
    'domain/access/live-access.ts',
    'domain/audit/audit-trail.ts',
    'domain/calls/cluster-walls.ts',
    'domain/calls/watch.ts',
    'domain/requests/request-log.ts',
    'domain/users/session-lookups.ts',
    'scheduler/loop.ts',
  ]);
});
