/** Reads JSON without trust. */
export { Fields } from './fields.ts';
