import type { Answer } from '../../api/client.ts';

export type Providers = Answer<'getProviders'>['providers'];
