import { randomToken } from '../../shared/ids.ts';

/** What a web page holds to begin browser calls with one agent. */
export const newPublicKey = (): string => `cw_pub_${randomToken(32)}`;
