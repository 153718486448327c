import type { Answer } from '../../api/client.ts';

export type Child = Answer<'listSubWorkspaces'>['sub_workspaces'][number];
