import type { Answer } from '../../api/client.ts';

export type Pool = Answer<'listNumberPools'>['number_pools'][number];
