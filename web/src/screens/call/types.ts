import type { Answer } from '../../api/client.ts';

export type Call = Answer<'getCall'>['data'];
