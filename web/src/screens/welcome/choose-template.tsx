import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { FlowTemplate } from '../../../../src/shared/flow-templates/template.ts';
import { Icon } from '../../ui/icon.tsx';
import { CARDS } from './templates.ts';
import { t } from '../../words/words.ts';

const CARD =
  'flex items-start gap-3 rounded-lg border border-line bg-surface p-4 text-left text-ink no-underline hover:border-accent';
const TILE = 'flex size-10 shrink-0 items-center justify-center rounded-md bg-accent-tint text-accent';

/** What the assistant should do: a card for each template, and one for an empty assistant. */
export function ChooseTemplate({ onChoose }: { onChoose: (template: FlowTemplate) => void }): ReactNode {
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      {CARDS.map(({ template, icon }) => (
        <button key={template.id} type="button" className={CARD} onClick={() => onChoose(template)}>
          <span className={TILE}>
            <Icon name={icon} isLarge />
          </span>
          <span>
            <span className="block font-medium">{t(template.name)}</span>
            <span className="block text-muted">{t(template.summary)}</span>
          </span>
        </button>
      ))}
      <Link to="/agents/new" className={CARD}>
        <span className={TILE}>
          <Icon name="bot" isLarge />
        </span>
        <span>
          <span className="block font-medium">{t('Something else')}</span>
          <span className="block text-muted">{t('Write an assistant from an empty page.')}</span>
        </span>
      </Link>
    </div>
  );
}
