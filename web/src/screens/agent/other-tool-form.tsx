import { useState, type ReactNode } from 'react';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/controls.tsx';
import { PairsField } from '../../ui/pairs-field.tsx';
import { fromPairs, pairsOf } from '../../ui/pairs.ts';
import { textOf, type Tool, type ToolType } from './tool-draft.ts';
import { t } from '../../words/words.ts';

/** Fields beside the name and description, by type of tool. */
const TEXTS: Readonly<
  Partial<Record<ToolType, readonly (readonly [key: string, label: string, more: object])[]>>
> = {
  MCP_SERVER: [
    ['url', 'Address of the server', { required: true, type: 'url' }],
    ['timeout_seconds', 'Time limit, seconds', { type: 'number', min: 1, max: 10 }],
  ],
  CALL_TRANSFER_TOOL: [
    [
      'transfer_to',
      'Transfer to',
      { required: true, hint: 'A number such as +14155550111, or a SIP address.' },
    ],
    ['briefing', 'Words to the person before the caller', { hint: 'Warm transfers only.', maxLength: 300 }],
    ['ring_timeout_seconds', 'Ring for, seconds', { type: 'number', min: 5, max: 60 }],
  ],
  DTMF_TOOL: [['digits', 'Keys', { hint: 'Empty: the model chooses.' }]],
  WAIT_FOR_DTMF_TOOL: [
    ['digits', 'Maximum keys', { type: 'number', min: 1, max: 32 }],
    ['timeout_seconds', 'Wait for, seconds', { type: 'number', min: 1, max: 60 }],
    ['end', 'Key that ends the input', { maxLength: 1, hint: 'Such as #.' }],
  ],
};
const NAMED: readonly ToolType[] = ['MCP_SERVER', 'CALL_TRANSFER_TOOL', 'DTMF_TOOL', 'WAIT_FOR_DTMF_TOOL'];
const isNumber = (more: object): boolean => 'type' in more && more.type === 'number';

/** The fields of every tool but requests. An empty field is left out. */
export function OtherToolForm({ tool, onChange }: { tool: Tool; onChange: (tool: Tool) => void }): ReactNode {
  const type = tool['type'] as ToolType;
  const set = (key: string, value: unknown): void => {
    const { [key]: _before, ...rest } = tool;
    onChange(value === '' || value === false ? rest : { ...rest, [key]: value });
  };
  const text = (key: string): string => textOf(tool, key);
  const [headers, setHeaders] = useState(() =>
    pairsOf((tool['headers'] as Record<string, string> | undefined) ?? {}),
  );
  const allowed = (tool['allowed_tools'] as readonly string[] | undefined) ?? [];
  return (
    <>
      {NAMED.includes(type) ? (
        <TextField
          label={t('Name of the tool')}
          required={type === 'MCP_SERVER'}
          pattern="[a-z][a-z0-9_]{0,63}"
          hint={t('Lower-case letters, digits and underscores.')}
          value={text('name')}
          onChange={(event) => set('name', event.target.value)}
        />
      ) : null}
      {type === 'MCP_SERVER' ? null : (
        <TextArea
          label={t('When to use it')}
          rows={2}
          maxLength={1000}
          hint={t('The model decides by these words.')}
          value={text('description')}
          onChange={(event) => set('description', event.target.value)}
        />
      )}
      {(TEXTS[type] ?? []).map(([key, label, more]) => (
        <TextField
          key={key}
          label={label}
          value={text(key)}
          onChange={({ target: { value } }) =>
            set(key, isNumber(more) && value !== '' ? Number(value) : value)
          }
          {...more}
        />
      ))}
      {type === 'CALL_TRANSFER_TOOL' ? (
        <SelectField
          label={t('Kind of transfer')}
          value={text('mode') || 'cold'}
          onChange={(event) => set('mode', event.target.value)}
        >
          <option value="cold">{t('Cold: the far side calls the number itself')}</option>
          <option value="warm">{t('Warm: the service calls it and connects both')}</option>
          <option value="auto">{t('Auto: cold, or warm when the far side refuses')}</option>
        </SelectField>
      ) : null}
      {type === 'WAIT_FOR_DTMF_TOOL' ? (
        <CheckField
          label={t('Sensitive: the keys are hidden, and the recording is silent meanwhile')}
          checked={tool['sensitive'] === true}
          onChange={(event) => set('sensitive', event.target.checked)}
        />
      ) : null}
      {type === 'MCP_SERVER' ? (
        <>
          <TextArea
            label={t('Tools that may be used, one a line')}
            rows={3}
            hint={t('Empty: every tool of the server, at most 32.')}
            value={allowed.join('\n')}
            onChange={({ target: { value } }) => set('allowed_tools', value === '' ? '' : value.split('\n'))}
          />
          <PairsField
            label={t('Headers')}
            nameLabel={t('Header')}
            valueLabel={t('Value')}
            pairs={headers}
            onChange={(pairs) => {
              setHeaders(pairs);
              onChange({ ...tool, headers: fromPairs(pairs) });
            }}
          />
        </>
      ) : null}
    </>
  );
}
