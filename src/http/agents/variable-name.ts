import { Type } from 'typebox';

/** The prompt writes a variable's name between braces, so the name has none. */
export const VariableName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^{}\\r\\n]*$',
  'x-rule': 'must be 1 to 100 characters long, without braces and line ends',
});
