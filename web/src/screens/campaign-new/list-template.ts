/** Columns that a person recognises; the service ignores letter case and spaces. */
const NAMES: Readonly<Record<string, string>> = {
  mobile_number: 'Mobile Number',
  callee_name: 'Callee Name',
};

/**
 * An empty contact list with a column for each variable. It has no example row: one that is left in by mistake would be
 * called. The mark at the beginning makes spreadsheets read it as UTF-8.
 */
export function templateCsv(variables: readonly string[]): Blob {
  const cells = variables.map((variable) => `"${(NAMES[variable] ?? variable).replaceAll('"', '""')}"`);
  return new Blob([`\uFEFF${cells.join(',')}\r\n`], { type: 'text/csv;charset=utf-8' });
}
