import type { Answer } from '../../api/client.ts';

export type Run = Answer<'testAgent'>;
export type Turn = Run['turns'][number];
