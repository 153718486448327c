import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useMay } from '../../session/session.ts';
import { buttonClass } from '../../ui/controls.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { fromCard, type Beginning } from './beginnings.ts';
import { ChooseTemplate } from './choose-template.tsx';
import { DescribeIt } from './describe-it.tsx';
import { MakeAssistant } from './make-assistant.tsx';
import { TryAssistant, type Made } from './try-assistant.tsx';
import { t } from '../../words/words.ts';

const STEPS = ['What should it do?', 'Who is it?', 'Talk with it'] as const;

/** A first conversation with an assistant of one's own, in three steps. */
export function WelcomePage(): ReactNode {
  const mayEdit = useMay('manager');
  const [beginning, setBeginning] = useState<Beginning | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const step = made !== null ? 2 : beginning !== null ? 1 : 0;
  return (
    <Page
      title={t('Welcome')}
      intro={t('Three steps to a first conversation with an assistant of your own.')}
      actions={
        <Link to="/" className={buttonClass()}>
          {t('Go to Home')}
        </Link>
      }
    >
      <ol className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        {STEPS.map((name, index) => (
          <li
            key={name}
            aria-current={index === step ? 'step' : undefined}
            className={`flex items-center gap-2 ${index === step ? 'font-medium text-ink' : 'text-muted'}`}
          >
            <span
              className={`flex size-5 items-center justify-center rounded-full text-xs ${index <= step ? 'bg-accent text-on-accent' : 'bg-neutral-tint text-muted'}`}
            >
              {index + 1}
            </span>
            {t(name)}
          </li>
        ))}
      </ol>
      {!mayEdit ? (
        <EmptyState title={t('Managers and owners create assistants')}>
          {t('Ask one of them, or ask for another role.')}
        </EmptyState>
      ) : made !== null ? (
        <TryAssistant made={made} />
      ) : beginning !== null ? (
        <MakeAssistant beginning={beginning} onBack={() => setBeginning(null)} onMade={setMade} />
      ) : (
        <>
          <DescribeIt onWritten={setBeginning} />
          <ChooseTemplate onChoose={(template) => setBeginning(fromCard(template))} />
        </>
      )}
    </Page>
  );
}
