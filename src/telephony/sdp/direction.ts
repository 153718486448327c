import type { Direction } from '../media.ts';

/** What our side does when the far side does `direction` (RFC 3264 section 6.1). */
export const mirrored = (direction: Direction): Direction =>
  direction === 'sendonly' ? 'recvonly' : direction === 'recvonly' ? 'sendonly' : direction;

export const sends = (direction: Direction): boolean => direction === 'sendrecv' || direction === 'sendonly';
export const receives = (direction: Direction): boolean =>
  direction === 'sendrecv' || direction === 'recvonly';

/** 0.0.0.0 or ::, the old way to hold (RFC 3264 section 8.4): nothing may be sent there. */
export const isUnspecified = (address: string): boolean => address === '0.0.0.0' || /^[0:]+$/.test(address);
