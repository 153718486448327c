export { Fields } from './fields.ts';
