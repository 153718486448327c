import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sessionQuery } from '../session/session.ts';
import { CheckField, SelectField } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { usePreference } from '../ui/preferences.ts';
import { chooseDensity, DENSITIES, useDensity, type Density } from './density.ts';
import { ThemeField } from './theme-field.tsx';
import {
  chooseLanguage,
  LANGUAGE,
  UI_LANGUAGE_NAMES,
  UI_LANGUAGES,
  type UiLanguage,
} from '../words/language.ts';
import { t } from '../words/words.ts';

const DENSITY_NAMES: Readonly<Record<Density, string>> = {
  compact: 'Compact rows',
  normal: 'Normal rows',
  comfortable: 'Comfortable rows',
};
const ITEM =
  'block w-full rounded-md px-2 py-1.5 text-left text-ink no-underline hover:bg-raised aria-[current=page]:text-accent';

/** Who is signed in, and what they choose for this browser. */
export function UserMenu({ onSignOut }: { onSignOut: () => void }): ReactNode {
  const { data } = useQuery(sessionQuery);
  const density = useDensity();
  const [showsRequests, setShowsRequests] = usePreference('show-requests');
  const email = data?.user.email ?? '';
  return (
    <Menu
      corner="top-left"
      name={t('Your menu, {email}', { email })}
      look="flex items-center gap-2 rounded-md px-2 py-1.5 text-sm text-muted hover:bg-raised"
      label={
        <>
          <span
            aria-hidden="true"
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent text-xs font-medium text-on-accent"
          >
            {email.charAt(0).toUpperCase()}
          </span>
          <span className="min-w-0 grow truncate">{email}</span>
          <Icon name="chevrons-up-down" />
        </>
      }
    >
      {(close) => (
        <>
          <ThemeField />
          <SelectField
            label={t('Tables')}
            value={density}
            onChange={(event) => chooseDensity(event.target.value as Density)}
          >
            {DENSITIES.map((each) => (
              <option key={each} value={each}>
                {t(DENSITY_NAMES[each])}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={t('Language')}
            value={LANGUAGE}
            onChange={(event) => chooseLanguage(event.target.value as UiLanguage)}
          >
            {UI_LANGUAGES.map((each) => (
              <option key={each} value={each} lang={each}>
                {UI_LANGUAGE_NAMES[each]}
              </option>
            ))}
          </SelectField>
          <CheckField
            label={t('Show requests for scripts')}
            checked={showsRequests}
            onChange={({ target }) => setShowsRequests(target.checked)}
          />
          <span className="mt-1 border-t border-line pt-1.5">
            <Link to="/settings/account" className={ITEM} onClick={close}>
              {t('Your account')}
            </Link>
            <button type="button" className={ITEM} onClick={onSignOut}>
              {t('Sign out')}
            </button>
          </span>
        </>
      )}
    </Menu>
  );
}
