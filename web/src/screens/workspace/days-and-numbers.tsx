import { useEffect, useState, type ReactNode } from 'react';
import { call, type Answer } from '../../api/client.ts';
import { queryClient, useChange, useRead } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { zoneName } from '../../parts/workspace-days.ts';
import { COUNTRIES } from '../../parts/phone-number.ts';
import { ZONES } from '../../parts/home-country.ts';
import { useMay } from '../../session/session.ts';
import { Button, CopyCurl, SelectField } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { formatShare } from '../../ui/stat.tsx';
import { t } from '../../words/words.ts';

type Settings = Answer<'getWorkspaceSettings'>;

/** Between two looks at how far a change of the zone is. */
const LOOK_MS = 5_000;

/** Every figure by day is another one, and the session names the zone. */
const readAgain = (): void => void queryClient.invalidateQueries();

/** By whose days the workspace counts, and the country of numbers without a code. */
export function DaysAndNumbers({ settings }: { settings: Settings }): ReactNode {
  const isOwner = useMay('owner');
  const { timezone_change: move } = settings;
  // Null: nothing was chosen, and the field follows what is stored.
  const [chosenZone, setZone] = useState<string | null>(null);
  const [chosenCountry, setCountry] = useState<string | null>(null);
  const zone = chosenZone ?? settings.timezone;
  const country = chosenCountry ?? settings.country ?? '';
  // While days move to a zone, another one is refused.
  const next = { ...(move === null ? { timezone: zone } : {}), ...(country === '' ? {} : { country }) };
  const before = {
    ...(move === null ? { timezone: settings.timezone } : {}),
    ...(settings.country === null ? {} : { country: settings.country }),
  };
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], (_, { timezone_change: begun }) =>
    begun === null || move !== null
      ? {
          text: t('Days are those of {zone} now.', { zone: zoneName(zone) }),
          undo: () => call('setWorkspaceSettings', before).then(readAgain),
        }
      : t('All kept calls are counted again; days are those of {zone} when that is done.', {
          zone: zoneName(begun.timezone),
        }),
  );
  const isChanged = zone !== settings.timezone || country !== (settings.country ?? '');
  return (
    <form
      className="flex w-full max-w-prose flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        set.mutate(next, {
          onSuccess: () => {
            setZone(afterSending(chosenZone, null));
            setCountry(afterSending(chosenCountry, null));
            readAgain();
          },
        });
      }}
    >
      <SelectField
        label={t('Time zone')}
        hint={t(
          'Home, analytics, reports and filters count by its days. A change counts all kept calls again.',
        )}
        value={zone}
        readOnly={!isOwner}
        disabled={move !== null}
        onChange={({ target }) => setZone(target.value)}
      >
        {[...new Set([settings.timezone, ...ZONES])].map((each) => (
          <option key={each} value={each}>
            {zoneName(each)}
          </option>
        ))}
      </SelectField>
      {move === null ? null : <MovingDays move={move} />}
      <SelectField
        label={t('Country of numbers without a code')}
        value={country}
        readOnly={!isOwner}
        onChange={({ target }) => setCountry(target.value)}
      >
        {settings.country === null ? <option value="">{t('None')}</option> : null}
        {COUNTRIES.map(([code, each]) => (
          <option key={code} value={code}>
            {each}
          </option>
        ))}
      </SelectField>
      {isOwner ? (
        <span className="flex flex-wrap gap-2">
          <Button type="submit" busy={set.isPending} disabled={!isChanged}>
            {t('Save')}
          </Button>
          <CopyCurl operation="setWorkspaceSettings" input={next} />
        </span>
      ) : (
        <p className="text-muted">{t('Only owners change this.')}</p>
      )}
      {set.isError ? <ErrorNote error={set.error} /> : null}
    </form>
  );
}

/** How far a change of the zone is. Its end reads every figure again. */
function MovingDays({ move }: { move: NonNullable<Settings['timezone_change']> }): ReactNode {
  useRead('getWorkspaceSettings', {}, { every: LOOK_MS });
  useEffect(() => readAgain, []);
  const zone = zoneName(move.timezone);
  return (
    <p role="status" className="max-w-prose text-muted">
      {t(
        'The days of {zone} are being counted: {percent} of the calls so far. Until all are, days stay as they were.',
        { zone, percent: formatShare(move.percent / 100) },
      )}
    </p>
  );
}
