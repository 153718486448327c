import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { variableUses } from '../../../../src/shared/variables.ts';
import { CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { COUNTRIES, countryOf, internationalNumber } from '../../ui/phone-number.ts';
import { CALL_VARIABLES } from '../../ui/prompt-variables.ts';
import type { Version } from './agent-page.tsx';
import { FailedFields } from './edit-card.tsx';

/** Places one call with the assistant, then shows it live. */
export function CallDialog({
  agentId,
  version,
  begin = {},
  onClose,
}: {
  agentId: string;
  version: Version | undefined;
  /** Values of the variables to begin with. */
  begin?: Readonly<Record<string, string>>;
  onClose: () => void;
}): ReactNode {
  const read = useRead('listNumbers', {});
  const [number, setNumber] = useState(begin['mobile_number'] ?? '');
  const [name, setName] = useState(begin['callee_name'] ?? '');
  const [country, setCountry] = useState(() => countryOf(navigator.language));
  const [isUnread, setUnread] = useState(false);
  const [isAnyway, setAnyway] = useState(false);
  const [fromId, setFromId] = useState('');
  const [values, setValues] = useState(begin);
  const placeCall = useChange('placeCall', ['listCalls', 'getOverview']);
  const placeTestCall = useChange('placeTestCall', ['listCalls', 'getOverview']);
  const navigate = useNavigate();
  const variables = (version?.agent_config.custom_variables ?? []).filter(
    (each) => !CALL_VARIABLES.includes(each),
  );
  const uses = variableUses(JSON.stringify(version?.agent_config ?? {}));
  const hasFallbacks = uses.some(({ fallback }) => fallback !== null);
  const international = internationalNumber(number, country);
  return (
    <Dialog title="Call with this assistant" onClose={onClose}>
      <Loaded read={read}>
        {({ workspace_numbers: numbers }) => {
          // A shared test number takes no calls by the key, so its calls have an endpoint of the dashboard.
          const from =
            numbers.find((each) => each.id === fromId) ??
            numbers.find((each) => !each.is_test_number) ??
            numbers[0];
          const isTest = from?.is_test_number === true;
          const place = isTest ? placeTestCall : placeCall;
          const input: Input<'placeTestCall'> = {
            agent_id: agentId,
            name,
            mobile_number: international ?? number,
            from_number_id: from?.id ?? '',
            custom_args_values: { ...values, callee_name: name },
          };
          return (
            <form
              className="flex flex-col gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                setUnread(international === null);
                if (international === null) return;
                place.mutate(input, {
                  onSuccess: (answer) =>
                    void navigate({ to: '/calls/$callId', params: { callId: answer.data.call_id } }),
                });
              }}
            >
              <p className="text-muted">
                It dials a real number and uses credits. Without a carrier, the built-in test carrier answers,
                such as +14155550123.
              </p>
              <TextField
                label="Number with country code"
                type="tel"
                required
                value={number}
                hint={
                  international === null
                    ? 'As you would write it: (415) 555-0123 or +1 415 555 0123.'
                    : `Dials ${international}.`
                }
                error={
                  isUnread && international === null
                    ? 'Is no phone number of this country.'
                    : place.error?.fields.get('mobile_number')
                }
                onChange={(event) => setNumber(event.target.value)}
              />
              <TextField
                label="Name of the person"
                required
                value={name}
                error={place.error?.fields.get('name')}
                onChange={(event) => setName(event.target.value)}
              />
              <SelectField
                label="Country of numbers without a code"
                value={country}
                onChange={(event) => setCountry(event.target.value as typeof country)}
              >
                <option value="">None</option>
                {COUNTRIES.map(([code, each]) => (
                  <option key={code} value={code}>
                    {each}
                  </option>
                ))}
              </SelectField>
              <SelectField
                label="Call from"
                value={from?.id ?? ''}
                required
                hint={
                  from === undefined
                    ? 'The workspace has no number to call from.'
                    : isTest
                      ? 'A shared test number: only test calls of the dashboard use it.'
                      : undefined
                }
                onChange={(event) => setFromId(event.target.value)}
              >
                {numbers.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.number} {each.display_name}
                    {each.is_test_number ? ' (shared test number)' : ''}
                  </option>
                ))}
              </SelectField>
              {variables.map((each) => (
                <TextField
                  key={each}
                  label={each}
                  required={!isAnyway}
                  value={values[each] ?? ''}
                  onChange={(event) => setValues({ ...values, [each]: event.target.value })}
                />
              ))}
              {variables.length > 0 && hasFallbacks ? (
                <CheckField
                  label="Call anyway without the values that are missing: the assistant says its fallback words"
                  checked={isAnyway}
                  onChange={(event) => setAnyway(event.target.checked)}
                />
              ) : null}
              {place.isError &&
              !(place.error.fields.size === 1 && place.error.fields.has('mobile_number')) ? (
                <FailedFields error={place.error} />
              ) : null}
              <DialogActions
                action="Call"
                isBusy={place.isPending}
                disabled={from === undefined}
                curl={
                  isTest ? (
                    <CopyCurl operation="placeTestCall" input={input} />
                  ) : (
                    <CopyCurl operation="placeCall" input={input} />
                  )
                }
                onClose={onClose}
              />
            </form>
          );
        }}
      </Loaded>
    </Dialog>
  );
}
