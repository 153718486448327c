import type { Answer } from '../../api/client.ts';

export type PhoneNumber = Answer<'listNumbers'>['workspace_numbers'][number];
