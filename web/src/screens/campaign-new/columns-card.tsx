import type { ReactNode } from 'react';
import { SelectField } from '../../ui/controls.tsx';
import { Card } from '../../ui/page.tsx';
import type { ListHead } from './list-head.ts';
import { variableName } from './variable-names.ts';
import { t } from '../../words/words.ts';

/** Which column has which value, and what the first rows look like. */
export function ColumnsCard({
  head,
  variables,
  required,
  map,
  errors,
  onChange,
}: {
  head: ListHead;
  variables: readonly string[];
  /** Those that need a column. */
  required: readonly string[];
  map: Readonly<Record<string, string>>;
  errors: ReadonlyMap<string, string>;
  onChange: (variable: string, column: string) => void;
}): ReactNode {
  return (
    <Card title={t('Columns')}>
      <div className="grid gap-4 sm:grid-cols-2">
        {variables.map((variable) => (
          <SelectField
            key={variable}
            label={variableName(variable)}
            value={map[variable] ?? ''}
            error={errors.get(`variables_map.${variable}`)}
            required={required.includes(variable)}
            onChange={(event) => onChange(variable, event.target.value)}
          >
            <option value="">{required.includes(variable) ? t('Choose the column') : t('No column')}</option>
            {[...new Set(head.header)].filter(Boolean).map((column) => (
              <option key={column} value={column}>
                {column}
              </option>
            ))}
          </SelectField>
        ))}
      </div>
      <div
        className="mt-5 overflow-x-auto"
        tabIndex={0}
        role="region"
        aria-label={t('First rows of the list')}
      >
        <table className="text-sm">
          <caption className="mb-2 text-left whitespace-nowrap text-muted">
            {head.text === null
              ? t('The first rows of the first sheet')
              : t('The first rows of the file, read as {encoding} with {delimiter} between the cells', {
                  encoding: head.text.encoding,
                  delimiter: t(head.text.delimiter),
                })}
          </caption>
          <thead>
            <tr className="border-b border-line">
              {head.header.map((cell, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- Headers may repeat.
                <th key={index} scope="col" className="py-1.5 pr-6 text-left font-medium whitespace-nowrap">
                  {cell === '' ? t('No header') : cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {head.rows.map((row, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- Rows have no key.
              <tr key={index} className="border-b border-line last:border-0">
                {head.header.map((_, place) => (
                  // oxlint-disable-next-line react/no-array-index-key -- Cells have no key.
                  <td key={place} className="max-w-64 truncate py-1.5 pr-6">
                    {row[place]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
