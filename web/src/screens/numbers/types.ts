import type { Answer } from '../../api/client.ts';

export type PhoneNumber = Answer<'listNumbers'>['workspace_numbers'][number];
/** What operators see and change of a number. */
export type NumberSettings = Answer<'listNumberSettings'>['numbers'][number];
