/** The database as use-cases take it; who only hands it on needs no more than the type. */
export type { Db } from '../store/database.ts';
