import { randomToken } from './ids.ts';

const PLACED = /^p\.([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\w{32}$/;

/** A token for the stream of a call that the process `nodeId` places. */
export const placedToken = (nodeId: string): string => `p.${nodeId.replaceAll('-', '')}${randomToken(32)}`;

/** The process that places the call of the token; null: the token is of an announced call, or none of ours. */
export const placingNode = (token: string): string | null => PLACED.exec(token)?.slice(1).join('-') ?? null;
