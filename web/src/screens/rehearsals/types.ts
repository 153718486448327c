import type { Answer } from '../../api/client.ts';

/** What a rehearsal found. */
export type Result = NonNullable<Answer<'getRehearsal'>['rehearsal']['result']>;
