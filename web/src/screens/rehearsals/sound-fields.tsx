import type { ReactNode } from 'react';
import type { Input } from '../../api/client.ts';
import { SelectField, TextField } from '../../ui/controls.tsx';
import { t } from '../../words/words.ts';

type Mode = NonNullable<Input<'startRehearsal'>['mode']>;
type Recogniser = NonNullable<Input<'startRehearsal'>['recogniser']>;

interface SoundDraft {
  readonly mode: Mode;
  readonly atOnce: string;
  readonly recogniser: Recogniser;
}
export const BY_TEXT: SoundDraft = { mode: 'text', atOnce: '20', recogniser: 'given' };
const MOST_AT_ONCE = 100;

/** Whether callers call by text or by sound; by sound also how many at a time, and who hears them. */
export function SoundFields({
  sound,
  atOnceError,
  onChange,
}: {
  sound: SoundDraft;
  atOnceError: string | undefined;
  onChange: (next: SoundDraft) => void;
}): ReactNode {
  const set = (next: Partial<SoundDraft>): void => onChange({ ...sound, ...next });
  return (
    <>
      <SelectField
        label={t('How callers call')}
        value={sound.mode}
        onChange={(event) => set({ mode: event.target.value as Mode })}
      >
        <option value="text">{t('By text, in virtual time')}</option>
        <option value="sound">{t('By sound, in real time')}</option>
      </SelectField>
      {sound.mode === 'text' ? null : (
        <>
          <TextField
            label={t('Calls at a time')}
            hint={t('Fewer while people call.')}
            type="number"
            min={1}
            max={MOST_AT_ONCE}
            required
            value={sound.atOnce}
            error={atOnceError}
            onChange={(event) => set({ atOnce: event.target.value })}
          />
          {/* Its choices are longer than a quarter of the row. */}
          <div className="sm:col-span-2">
            <SelectField
              label={t('Who hears the callers')}
              value={sound.recogniser}
              onChange={(event) => set({ recogniser: event.target.value as Recogniser })}
            >
              <option value="given">{t('A recogniser that is given the words')}</option>
              <option value="phrases">{t('Expected phrases, in English')}</option>
              <option value="words">{t('Every word, with installed models')}</option>
            </SelectField>
          </div>
        </>
      )}
    </>
  );
}
