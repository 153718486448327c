import { useState, type ReactNode } from 'react';
import { LANGUAGES, type Language } from '@callwright/language';
import { call, type Answer } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { afterSending } from '../../drafts/after-sending.ts';
import { useMay } from '../../session/session.ts';
import { Button, CheckField, CopyCurl, SelectField, TextField } from '../../ui/controls.tsx';
import { formatLanguage } from '../../ui/format.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { t } from '../../words/words.ts';

type Settings = Pick<Answer<'getWorkspaceSettings'>, 'announces_people' | 'joining_texts'>;

/** Whether the assistant says that a person joins or listens, and its words by language. */
export function AnnouncedPeople({ settings }: { settings: Settings }): ReactNode {
  const { announces_people: isOn, joining_texts: texts } = settings;
  const isOwner = useMay('owner');
  const [chosen, setChosen] = useState<boolean | null>(null);
  const set = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], ({ announces_people: next }) => ({
    text:
      next === true
        ? t('The assistant announces people from now on.')
        : t('People join and listen without an announcement again.'),
    undo: () => call('setWorkspaceSettings', { announces_people: next !== true }),
  }));
  return (
    <div className="flex flex-col items-start gap-4">
      <CheckField
        label={t('The assistant says when somebody of yours listens, and before they or a guest are heard')}
        checked={chosen ?? isOn}
        readOnly={!isOwner}
        onChange={({ target: { checked } }) => {
          if (set.isPending) return;
          setChosen(checked);
          set.mutate({ announces_people: checked }, { onSettled: () => setChosen(null) });
        }}
      />
      {isOwner && isOn ? <Texts texts={texts} /> : null}
      {isOwner ? null : <p className="text-muted">{t('Only owners change this.')}</p>}
      {set.isError ? <ErrorNote error={set.error} /> : null}
      {isOwner ? <CopyCurl operation="setWorkspaceSettings" input={{ announces_people: !isOn }} /> : null}
    </div>
  );
}

const LONGEST = 300;

function Texts({ texts }: { texts: Settings['joining_texts'] }): ReactNode {
  const [language, setLanguage] = useState<Language>('en-US');
  const known = texts.find((text) => text.language === language)?.text ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const save = useChange('setWorkspaceSettings', ['getWorkspaceSettings'], () => t('The words are saved.'));
  const text = typed ?? known;
  return (
    <form
      aria-label={t('Words of the announcement')}
      className="flex w-full max-w-prose flex-col items-start gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const others = texts.filter((each) => each.language !== language);
        const own = text.trim() === '' ? [] : [{ language, text: text.trim() }];
        save.mutate(
          { joining_texts: [...others, ...own] },
          { onSuccess: () => setTyped(afterSending(typed, null)) },
        );
      }}
    >
      <SelectField
        label={t('Language of the assistant')}
        value={language}
        onChange={({ target }) => {
          setLanguage(target.value as Language);
          setTyped(null);
        }}
      >
        {LANGUAGES.map((each) => (
          <option key={each} value={each}>
            {formatLanguage(each)}
          </option>
        ))}
      </SelectField>
      <TextField
        label={t('What it says')}
        hint={t('Empty: A colleague is joining this call, in that language.')}
        value={text}
        maxLength={LONGEST}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" busy={save.isPending} disabled={typed === null}>
        {t('Save the words')}
      </Button>
      {save.isError ? <ErrorNote error={save.error} /> : null}
    </form>
  );
}
