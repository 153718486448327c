import type { ReactNode } from 'react';
import { TextArea, TextField } from '../../ui/controls.tsx';
import { linesOf } from '../../ui/lines.ts';
import type { VersionProps } from './types.ts';
import { EditCard } from './edit-card.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
import { t } from '../../words/words.ts';

const MAX_WORDS = 100;

/** How fast the voice speaks. */
export function SpeedCard(target: VersionProps): ReactNode {
  const form = useDraft(
    {
      speed: String(target.version.agent_config.voice_speed),
    },
    'Speed',
  );
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Speed')}
      target={target}
      edit={{ operation: 'edit_voice_speed', voice_speed: Number(draft.speed) }}
      form={form}
    >
      {(errorOf) => (
        <TextField
          label={t('Speed of the voice')}
          type="number"
          min={0.5}
          max={2}
          step={0.05}
          required
          readOnly={!target.mayEdit}
          value={draft.speed}
          hint={t('1 is usual; from 0.5 to 2.')}
          error={errorOf('voice_speed')}
          onChange={(event) => set({ speed: event.target.value })}
        />
      )}
    </EditCard>
  );
}

/** Words that the recogniser should expect. */
export function VocabularyCard(target: VersionProps): ReactNode {
  const form = useDraft(
    {
      text: target.version.agent_config.vocab.join('\n'),
    },
    'Vocabulary',
  );
  const { draft, set } = form;
  const vocab = linesOf(draft.text);
  const words = vocab.reduce((sum, line) => sum + line.split(/\s+/).length, 0);
  return (
    <EditCard
      title={t('Vocabulary')}
      target={target}
      edit={{ operation: 'edit_vocab', vocab }}
      form={form}
      problem={words > MAX_WORDS ? t('Remove {words} words.', { words: words - MAX_WORDS }) : undefined}
    >
      {(errorOf) => (
        <TextArea
          label={t('Names and terms, one a line')}
          rows={4}
          readOnly={!target.mayEdit}
          value={draft.text}
          hint={t('{words} of {MAX_WORDS} words. The recogniser expects them.', { words, MAX_WORDS })}
          error={errorOf('vocab')}
          onChange={(event) => set({ text: event.target.value })}
        />
      )}
    </EditCard>
  );
}

/** What the assistant says while a tool works. */
export function PhrasesCard(target: VersionProps): ReactNode {
  const config = target.version.agent_config;
  const form = useDraft(
    {
      text: config.pre_query_response_phrases.join('\n'),
      probability: String(config.pre_query_phrase_probability),
    },
    'Phrases while it looks something up',
  );
  const { draft, set } = form;
  return (
    <EditCard
      title={t('Phrases while it looks something up')}
      target={target}
      edit={{
        operation: 'edit_query_phrases',
        pre_query_response_phrases: linesOf(draft.text),
        pre_query_phrase_probability: Number(draft.probability),
      }}
      form={form}
    >
      {(errorOf) => (
        <>
          <TextArea
            label={t('Phrases, one a line')}
            rows={3}
            readOnly={!target.mayEdit}
            value={draft.text}
            error={errorOf('pre_query_response_phrases')}
            onChange={(event) => set({ text: event.target.value })}
          />
          <TextField
            label={t('How often, from 0 to 1')}
            type="number"
            min={0}
            max={1}
            step={0.05}
            required
            readOnly={!target.mayEdit}
            value={draft.probability}
            error={errorOf('pre_query_phrase_probability')}
            onChange={(event) => set({ probability: event.target.value })}
          />
        </>
      )}
    </EditCard>
  );
}
