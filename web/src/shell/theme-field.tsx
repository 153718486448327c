import type { ReactNode } from 'react';
import { chooseTheme, THEMES, useTheme, type Theme } from './theme.ts';
import { SelectField } from '../ui/controls.tsx';
import { t } from '../words/words.ts';

const THEME_NAMES: Readonly<Record<Theme, string>> = {
  light: 'Light theme',
  dark: 'Dark theme',
  system: 'System theme',
};

/** Light, dark, or as the operating system has it: for the whole dashboard in this browser. */
export function ThemeField(): ReactNode {
  const theme = useTheme();
  return (
    <SelectField
      label={t('Theme')}
      value={theme}
      onChange={(event) => chooseTheme(event.target.value as Theme)}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {t(THEME_NAMES[each])}
        </option>
      ))}
    </SelectField>
  );
}
