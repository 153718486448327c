/** Prefix for a variable whose name collides with a fixed column. */
const VARIABLE = 'variable_';

/** The head of a report: its fixed columns, then the variables of its contacts. */
export const reportHead = (columns: readonly string[], variables: readonly string[]): string[] => [
  ...columns,
  ...variables.map((name) => (columns.includes(name) ? `${VARIABLE}${name}` : name)),
];

/** A time in ISO 8601; an unknown one is empty. */
export const timeCell = (at: Date | null): string => at?.toISOString() ?? '';
