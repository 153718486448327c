import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useUnsavedForms } from '../../drafts/unsaved.ts';
import { CALL_VARIABLES, variablesIn } from '../../parts/prompt-variables.ts';
import { Button } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { showToastsIn } from '../../ui/toast-host.ts';
import { useEdits } from '../agent/saving/edits-of.tsx';
import type { TestMove, Values } from '../agent/test-state.ts';
import type { Agent, Version } from '../agent/types.ts';
import { PhoneWay } from './phone-way.tsx';
import { TextWay } from './text-way.tsx';
import { sentValues, ValuesForm } from './values-form.tsx';
import { VoiceWay } from './voice-way.tsx';
import { t } from '../../words/words.ts';

type Way = 'text' | 'voice' | 'phone';
const NAMES: Readonly<Record<Way, string>> = { text: 'Text', voice: 'Voice', phone: 'Phone' };

/** The ways to talk with an assistant of this type. */
export function waysOf(type: string): readonly Way[] {
  if (type === 'whatsapp') return ['text'];
  return type === 'inbound' ? ['text', 'voice'] : ['text', 'voice', 'phone'];
}

/**
 * Talks with the version that the editor shows, beside the editor: a column of a wide window, a sheet over a narrow one. It tests
 * what is saved. While it is closed it keeps the conversation, and ends a call.
 */
export function TestPanel({
  agent,
  version,
  isDraft,
  isShown,
  isWide,
  values,
  onValues,
  onMoves,
  onClose,
}: {
  agent: Agent;
  version: Version;
  isDraft: boolean;
  isShown: boolean;
  /** The window has room for a column. */
  isWide: boolean;
  values: Values;
  onValues: (values: Values) => void;
  /** Gets the moves of the conversation through the flow; null: there is none. */
  onMoves: (moves: readonly TestMove[] | null) => void;
  onClose: () => void;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null || !isShown) return undefined;
    if (isWide) element.show();
    else element.showModal();
    return () => element.close();
  }, [isShown, isWide]);
  useLayoutEffect(
    () => (dialog.current === null || !isShown || isWide ? undefined : showToastsIn(dialog.current)),
    [isShown, isWide],
  );
  const ways = waysOf(agent.agent_type);
  const [way, setWay] = useState<Way>('text');
  /** How many conversations of each way “Save and test” has begun. */
  const [begun, setBegun] = useState<Readonly<Record<Way, number>>>({ text: 0, voice: 0, phone: 0 });
  useEffect(() => () => onMoves(null), [onMoves]);
  const { agent_prompt: prompt, intro_message: opening, custom_variables: declared } = version.agent_config;
  const used = variablesIn([prompt, opening]);
  const variables = [...new Set([...CALL_VARIABLES, ...declared, ...used])];
  const args = sentValues(variables, values);
  const isActive = version.version_id === agent.active_agent_version_id;
  const active = agent.version_details[agent.active_agent_version_id]?.version_slug ?? '';
  const talk = {
    agentId: agent.id,
    versionId: version.version_id,
    state: JSON.stringify(version),
    args,
    onMoves,
  };
  return createPortal(
    <dialog
      ref={dialog}
      aria-label={t('Try it')}
      className="m-0 h-dvh max-h-none w-full max-w-none flex-col gap-3 border-line bg-surface p-4 text-ink open:flex sm:ml-auto sm:w-112 sm:border-l max-sm:h-[calc(100dvh-3.5rem)] xl:fixed xl:inset-y-0 xl:right-0 xl:left-auto xl:z-20 xl:w-100 2xl:w-120"
      onCancel={(event) => {
        // Escape closes the dialog on top alone, and a press of it in a picker of a file nothing.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="flex items-center justify-between gap-3">
        <h2 className="min-w-0 text-lg font-semibold">
          {t('Try it')}{' '}
          <span className="text-sm font-normal text-muted">
            {isDraft ? t('Draft') : version.version_slug}
          </span>
        </h2>
        <Button aria-label={t('Close the test')} onClick={onClose}>
          <Icon name="x" />
        </Button>
      </div>
      <Unsaved
        onSaved={() => {
          // A phone hears the active version.
          const next = way === 'phone' ? 'text' : way;
          setWay(next);
          setBegun((before) => ({ ...before, [next]: before[next] + 1 }));
        }}
      />
      <ValuesForm variables={variables} used={used} values={values} onChange={onValues} />
      {ways.length === 1 ? null : (
        <div className="shrink-0">
          <Segmented
            label={t('Way of testing')}
            value={way}
            options={ways.map((each) => [each, NAMES[each]] as const)}
            onChange={setWay}
          />
        </div>
      )}
      <Shown isShown={way === 'text'}>
        <TextWay key={begun.text} {...talk} begins={begun.text > 0} />
      </Shown>
      {ways.includes('voice') ? (
        <Shown isShown={way === 'voice'}>
          <VoiceWay key={begun.voice} {...talk} isShown={isShown} begins={begun.voice > 0} />
        </Shown>
      ) : null}
      {ways.includes('phone') ? (
        <Shown isShown={way === 'phone'}>
          <PhoneWay agentId={agent.id} active={active} isActive={isActive} args={args} />
        </Shown>
      ) : null}
    </dialog>,
    document.getElementById('content') ?? document.body,
  );
}

const Shown = ({ isShown, children }: { isShown: boolean; children: ReactNode }): ReactNode => (
  <div className={isShown ? 'flex min-h-0 grow flex-col' : 'hidden'}>{children}</div>
);

/** Says that what is typed and not saved is not tested, and saves it. */
function Unsaved({ onSaved }: { onSaved: () => void }): ReactNode {
  const names = [...new Set([...useUnsavedForms().values()].map(({ name }) => t(name)))].join(', ');
  const edits = useEdits();
  const [isSaving, setSaving] = useState(false);
  const [isRefused, setRefused] = useState(false);
  if (names === '') return null;
  const save = async (): Promise<void> => {
    setSaving(true);
    const isSaved = await edits.saveAll();
    setSaving(false);
    setRefused(!isSaved);
    if (isSaved) onSaved();
  };
  return (
    <Notice
      tone="warn"
      title={t('Not saved, so not tested:')}
      action={
        <Button look="primary" busy={isSaving} onClick={() => void save()}>
          {t('Save and test')}
        </Button>
      }
    >
      {names}
      {isRefused ? `. ${t('Not everything could be saved: the editor says why.')}` : ''}
    </Notice>
  );
}
