/** The database type, for layers that only pass it on. */
export type { Db } from '../store/database.ts';
