import type { ReactNode } from 'react';
import { Button, CheckField, SelectField, TextField } from '../../ui/controls.tsx';
import { FieldInput, type Offers } from './field-input.tsx';
import type { FlowDocument, Variable } from './flow-document.ts';
import { VALUE_TYPES } from './step-fields.ts';
import type { FlowEditor } from './use-flow-editor.ts';
import { t } from '../../words/words.ts';

const NO_OFFERS: Offers = { variables: [], tools: [], bases: [], language: '' };

/** The variables of a flow with their types. */
export function VariablesForm({
  flow,
  edit,
  mayEdit,
}: {
  flow: FlowDocument;
  edit: FlowEditor['edit'];
  mayEdit: boolean;
}): ReactNode {
  const variables = flow.variables ?? [];
  const change = (list: readonly Variable[], mark?: string): void =>
    edit({ does: 'variables', variables: list }, mark);
  return (
    <details className="rounded-md border border-line p-3">
      <summary className="text-sm font-medium">
        {t('Variables ({length})', { length: variables.length })}
      </summary>
      <div className="mt-3 flex flex-col gap-4">
        <ul className="flex flex-col gap-4" aria-label={t('Variables of the flow')}>
          {variables.map((variable, at) => (
            // Two variables may have one name while someone types.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at} className="flex flex-col gap-3 border-b border-line pb-4">
              <VariableFields
                variable={variable}
                mayEdit={mayEdit}
                onChange={(next, field) => change(variables.with(at, next), `variable ${at} ${field}`)}
              />
              {mayEdit ? (
                <div>
                  <Button
                    aria-label={t('Remove the variable {name}', { name: variable.name })}
                    onClick={() => change(variables.toSpliced(at, 1))}
                  >
                    {t('Remove')}
                  </Button>
                </div>
              ) : null}
            </li>
          ))}
        </ul>
        {mayEdit ? (
          <div>
            <Button onClick={() => change([...variables, { name: freeName(variables), type: 'text' }])}>
              {t('Add a variable')}
            </Button>
          </div>
        ) : null}
      </div>
    </details>
  );
}

/** The first of `value_1`, `value_2`, … that no variable has. */
function freeName(variables: readonly Variable[]): string {
  let count = 1;
  while (variables.some(({ name }) => name === `value_${count}`)) count += 1;
  return `value_${count}`;
}

function VariableFields({
  variable,
  mayEdit,
  onChange,
}: {
  variable: Variable;
  mayEdit: boolean;
  onChange: (next: Variable, field: string) => void;
}): ReactNode {
  const set = (field: string, value: unknown): void => {
    const { [field]: _, ...rest } = variable;
    onChange((value === undefined ? rest : { ...variable, [field]: value }) as Variable, field);
  };
  return (
    <>
      <TextField
        label={t('Name')}
        spellCheck={false}
        value={variable.name}
        readOnly={!mayEdit}
        onChange={(event) => set('name', event.target.value)}
      />
      <SelectField
        label={t('Type')}
        value={typeof variable['type'] === 'string' ? variable['type'] : ''}
        readOnly={!mayEdit}
        onChange={(event) => set('type', event.target.value)}
      >
        {Object.entries(VALUE_TYPES).map(([type, name]) => (
          <option key={type} value={type}>
            {t(name)}
          </option>
        ))}
      </SelectField>
      {variable['type'] === 'choice' ? (
        <FieldInput
          field={{ name: 'values', label: 'Values', form: 'lines', hint: t('One a line, 2 to 30.') }}
          value={variable['values']}
          readOnly={!mayEdit}
          offers={NO_OFFERS}
          onChange={(value) => set('values', value)}
        />
      ) : null}
      <FieldInput
        field={{ name: 'description', label: 'Description', form: 'line' }}
        value={variable['description']}
        readOnly={!mayEdit}
        offers={NO_OFFERS}
        onChange={(value) => set('description', value)}
      />
      <CheckField
        label={t('Sensitive: kept out of transcript, records and logs')}
        checked={variable['sensitive'] === true}
        readOnly={!mayEdit}
        onChange={(event) => set('sensitive', event.target.checked ? true : undefined)}
      />
    </>
  );
}
