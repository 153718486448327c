import type { Role } from '../../store/schema.ts';

export type { Role };

export const ROLES = ['owner', 'manager', 'viewer'] as const satisfies readonly Role[];

/** Whether `role` may do what needs at least `needed`. */
export const isAtLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(needed);
