import type { ReactNode } from 'react';
import { Button } from '../../../ui/controls.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { t } from '../../../words/words.ts';
import type { Change } from '../../../../../src/domain/agents/draft/difference.ts';
import { ChangeList } from '../change-list.tsx';

/** A section that somebody else changed while it was typed in. */
export interface Moved {
  readonly id: string;
  readonly title: string;
  /** What the service has, as JSON. */
  readonly theirs: string;
  /** What leads from theirs to the typed text. */
  readonly changes: readonly Change[];
}

/** Shows both sides of every such section; closing it keeps the typed text unsaved. */
export function MovedDialog({
  moved,
  isSaving,
  onMine,
  onTheirs,
  onClose,
}: {
  moved: readonly Moved[];
  isSaving: boolean;
  onMine: (moved: Moved) => void;
  onTheirs: (moved: Moved) => void;
  onClose: () => void;
}): ReactNode {
  return (
    <Dialog title={t('Somebody else changed this meanwhile')} isWide onClose={onClose}>
      <div className="flex flex-col gap-5">
        <p className="text-muted">
          {t('Struck out is what they saved, underlined is what you typed. Nothing of yours is saved yet.')}
        </p>
        {moved.map((each) => (
          <section key={each.id} aria-label={each.title} className="flex flex-col gap-3">
            <h3 className="font-medium">{each.title}</h3>
            <div className="max-h-[40vh] overflow-y-auto" tabIndex={0} role="group" aria-label={each.title}>
              <ChangeList label={t('What differs')} changes={each.changes} />
            </div>
            <div className="flex flex-wrap justify-end gap-2">
              <Button busy={isSaving} onClick={() => onTheirs(each)}>
                {t('Take theirs')}
              </Button>
              <Button busy={isSaving} look="primary" onClick={() => onMine(each)}>
                {t('Keep mine')}
              </Button>
            </div>
          </section>
        ))}
        <div className="flex justify-end">
          <Button onClick={onClose}>{t('Decide later')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
