import { useState, type ReactNode } from 'react';
import { useChange, useRead } from '../../api/queries.ts';
import { usePhone } from '../../parts/phone-field.tsx';
import { spacedNumber } from '../../parts/phone-number.ts';
import { CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';
import type { NumberSettings } from './types.ts';

type Purpose = NonNullable<NumberSettings['purpose']> | '';

const TEST_TRUNK = 'test';

/** For operators: adds a number to the workspace, or changes the settings of `number`. */
export function NumberForm({
  workspaceId,
  number,
  onClose,
}: {
  workspaceId: string;
  number: NumberSettings | null;
  onClose: () => void;
}): ReactNode {
  const phone = usePhone(number?.number);
  const [trunk, setTrunk] = useState(number?.trunk ?? '');
  const [name, setName] = useState(number?.display_name ?? '');
  const [limit, setLimit] = useState(number?.call_limit?.toString() ?? '');
  const [isForTests, setIsForTests] = useState(number?.is_test_number ?? false);
  const [purpose, setPurpose] = useState<Purpose>(number?.purpose ?? '');
  const [isTried, setIsTried] = useState(false);
  const trunks = (useRead('listTrunkSettings', {}).data?.trunks ?? []).map((each) => each.name);
  const save = useChange('saveNumber', ['listNumberSettings', 'listNumbers', 'listTrunks'], (input) =>
    number === null
      ? t('{number} is a number of the workspace now.', { number: input.number })
      : t('{number} was changed. The next call uses it.', { number: input.number }),
  );
  const input = {
    number: number?.number ?? phone.e164 ?? '',
    workspace_id: workspaceId,
    trunk,
    display_name: name,
    is_test_number: isForTests,
    purpose: purpose === '' ? null : purpose,
    call_limit: limit.trim() === '' ? null : Number(limit),
  };
  return (
    <Dialog
      title={number === null ? t('Add a number') : t('Change {name}', { name: spacedNumber(number.number) })}
      onClose={onClose}
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          if (input.number !== '') save.mutate(input, { onSuccess: onClose });
        }}
      >
        {number?.from_file === true ? (
          <Notice tone="warn" title={t('The provision file declares this number.')}>
            {t('The file sets it back when it is applied again: change it there, too.')}
          </Notice>
        ) : null}
        {number === null ? (
          <TextField
            label={t('Number')}
            type="tel"
            autoComplete="off"
            required
            value={phone.text}
            hint={
              phone.e164 === null
                ? t('As your carrier gave it to you, such as +1 415 555 0100.')
                : t('People see {number}.', { number: spacedNumber(phone.e164) })
            }
            error={
              isTried && phone.e164 === null ? t('Begin with + and the code of the country.') : undefined
            }
            onChange={({ target }) => phone.setText(target.value)}
          />
        ) : null}
        <SelectField
          label={t('Carrier trunk')}
          required
          value={trunk}
          hint={t('It carries the calls of the number, in and out.')}
          onChange={({ target }) => setTrunk(target.value)}
        >
          <option value="">{t('Choose a trunk')}</option>
          {trunks.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
          <option value={TEST_TRUNK}>{t('Built-in test carrier')}</option>
        </SelectField>
        <TextField
          label={t('Name')}
          maxLength={100}
          value={name}
          hint={t('Shown to people whose carrier passes it on.')}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label={t('Used for')}
          value={purpose}
          hint={t('Campaigns with another purpose cannot call from it.')}
          onChange={({ target }) => setPurpose(target.value as Purpose)}
        >
          <option value="">{t('Any calls')}</option>
          <option value="transactional">{t('Transactional calls')}</option>
          <option value="service">{t('Service calls')}</option>
          <option value="promotional">{t('Promotional calls')}</option>
        </SelectField>
        <TextField
          label={t('Calls at once')}
          type="number"
          min={1}
          max={100_000}
          value={limit}
          hint={t('Empty: no limit.')}
          onChange={({ target }) => setLimit(target.value)}
        />
        <CheckField
          label={t('For tests only: campaigns and the API cannot call from it')}
          checked={isForTests}
          onChange={({ target }) => setIsForTests(target.checked)}
        />
        {save.isError ? <ErrorNote error={save.error} /> : null}
        <DialogActions
          action={number === null ? t('Add the number') : t('Save')}
          isBusy={save.isPending}
          curl={<CopyCurl operation="saveNumber" input={input} />}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
