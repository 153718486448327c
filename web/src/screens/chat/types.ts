import type { Answer } from '../../api/client.ts';

export type Chat = Answer<'getChat'>['data'];
