import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { useChange, useRead } from '../../api/queries.ts';
import { ANY_TIME } from '../../parts/any-time.ts';
import { CalleeClock, FirstWords, useCallPreview } from '../../parts/call-preview.tsx';
import { CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { PhoneCountry, PhoneField, usePhone } from '../../parts/phone-field.tsx';
import { CALL_VARIABLES } from '../../parts/prompt-variables.ts';
import { t } from '../../words/words.ts';

const VALUES = 'custom_args_values.';

/** Places one call with the active version of the assistant, then shows it live unless `onPlaced` takes it. */
export function CallDialog({
  agentId,
  begin = {},
  isAnyTime = false,
  from: wantedFrom = '',
  onPlaced,
  onClose,
}: {
  agentId: string;
  /** Values of the variables to begin with. */
  begin?: Readonly<Record<string, string>>;
  /** The phone that rings is the reader's own: its hours do not count. */
  isAnyTime?: boolean;
  /** The id of the number to call from at first. */
  from?: string;
  /** Gets the placed call; absent: its page opens. */
  onPlaced?: (callId: string, number: string) => void;
  onClose: () => void;
}): ReactNode {
  const read = useRead('listNumbers', {});
  // Not before it is known that the workspace places such calls.
  const mayLack = useRead('getWorkspaceSettings', {}).data?.strict_variables === false;
  const phone = usePhone(begin['mobile_number']);
  const [name, setName] = useState(begin['callee_name'] ?? '');
  const [isTried, setTried] = useState(false);
  const [isAnyway, setAnyway] = useState(false);
  const [fromId, setFromId] = useState(wantedFrom);
  const [values, setValues] = useState(() => withoutFixed(begin));
  const placeCall = useChange('placeCall', ['listCalls', 'getOverview']);
  const placeTestCall = useChange('placeTestCall', ['listCalls', 'getOverview']);
  const navigate = useNavigate();
  const preview = useCallPreview(agentId, [
    { name, mobile_number: phone.e164 ?? '', custom_args_values: values },
  ]);
  const contact = preview?.contacts[0];
  const missing = (contact?.missing ?? []).filter((each) => !CALL_VARIABLES.includes(each));
  return (
    <Dialog title={t('Call with this assistant')} onClose={onClose}>
      <Loaded read={read}>
        {({ workspace_numbers: numbers }) => {
          // A shared test number takes no calls by the key, so its calls have an endpoint of the dashboard.
          const from =
            numbers.find((each) => each.id === fromId) ??
            numbers.find((each) => !each.is_test_number) ??
            numbers[0];
          const isTest = from?.is_test_number === true;
          const place = isTest ? placeTestCall : placeCall;
          const errorOf = (field: string): string | undefined => place.error?.fields.get(field);
          const shown = new Set([
            'mobile_number',
            'name',
            ...(preview?.variables ?? []).map((each) => VALUES + each.name),
          ]);
          const isAtFields =
            place.error !== null &&
            place.error.fields.size > 0 &&
            [...place.error.fields.keys()].every((field) => shown.has(field));
          const input: Input<'placeTestCall'> = {
            agent_id: agentId,
            name,
            mobile_number: phone.e164 ?? phone.text,
            from_number_id: from?.id ?? '',
            custom_args_values: { ...values, callee_name: name },
            ...(isAnyTime ? { call_config: ANY_TIME } : {}),
          };
          return (
            <form
              className="flex flex-col gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                setTried(phone.e164 === null);
                if (phone.e164 === null) return;
                place.mutate(input, {
                  onSuccess: ({ data: { call_id: callId } }) =>
                    onPlaced === undefined
                      ? void navigate({ to: '/calls/$callId', params: { callId } })
                      : onPlaced(callId, input.mobile_number),
                });
              }}
            >
              <p className="text-muted">
                {t(
                  'It dials a real number and uses credits. Without a carrier, the built-in test carrier answers, such as +1 415 555 0123.',
                )}
              </p>
              <PhoneField
                label={t('Number with country code')}
                phone={phone}
                isTried={isTried}
                error={errorOf('mobile_number')}
                note={contact?.mobile_number === phone.e164 ? <CalleeClock contact={contact} /> : null}
              />
              <TextField
                label={t('Name of the person')}
                required
                value={name}
                error={errorOf('name')}
                onChange={(event) => setName(event.target.value)}
              />
              {(preview?.variables ?? []).map(({ name: each, needed_in: neededIn }) => (
                <TextField
                  key={each}
                  label={each.replaceAll('_', ' ')}
                  required={neededIn !== null && !isAnyway}
                  maxLength={1000}
                  hint={
                    neededIn === null ? t('Optional: the assistant has other words without it.') : undefined
                  }
                  value={values[each] ?? ''}
                  error={errorOf(VALUES + each)}
                  onChange={(event) => setValues({ ...values, [each]: event.target.value })}
                />
              ))}
              {missing.length > 0 && mayLack ? (
                <CheckField
                  label={t('Call anyway without the values that are missing')}
                  checked={isAnyway}
                  onChange={(event) => setAnyway(event.target.checked)}
                />
              ) : null}
              <FirstWords contact={contact} />
              <PhoneCountry phone={phone} />
              <SelectField
                label={t('Call from')}
                value={from?.id ?? ''}
                required
                hint={
                  from === undefined
                    ? t('The workspace has no number to call from.')
                    : isTest
                      ? t('A shared test number: only test calls of the dashboard use it.')
                      : undefined
                }
                onChange={(event) => setFromId(event.target.value)}
              >
                {numbers.map((each) => (
                  <option key={each.id} value={each.id}>
                    {each.number} {each.display_name}
                    {each.is_test_number ? ` ${t('(shared test number)')}` : ''}
                  </option>
                ))}
              </SelectField>
              {place.isError && !isAtFields ? <ErrorNote error={place.error} /> : null}
              <DialogActions
                action={t('Call')}
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

/** Number and name have fields of their own. */
const withoutFixed = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !CALL_VARIABLES.includes(name)));
