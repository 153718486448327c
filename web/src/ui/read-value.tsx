import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Icon } from './icon.tsx';
import { t } from '../words/words.ts';

/** A value that the reader cannot change, as text under its label: no field that looks as if it could be typed in. */
export function ReadValue({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: ReactNode;
  /** Empty: there is no value. */
  children: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-1">
      <span id={id} className="text-sm font-medium">
        {t(label)}
      </span>
      <div className="leading-relaxed whitespace-pre-wrap wrap-anywhere">
        {children === '' || children == null ? <span className="text-muted">–</span> : children}
      </div>
      {hint === undefined ? null : (
        <p className="text-sm text-muted">{typeof hint === 'string' ? t(hint) : hint}</p>
      )}
    </div>
  );
}

/** The name of a choice, whatever draws the choices: a select that nobody sees finds it. */
export function ReadChoice({
  label,
  hint,
  value,
  children,
}: {
  label: string;
  hint?: ReactNode;
  value: string | number | readonly string[] | undefined;
  /** The options. */
  children: ReactNode;
}): ReactNode {
  const select = useRef<HTMLSelectElement>(null);
  const [name, setName] = useState('');
  useLayoutEffect(() => setName(select.current?.selectedOptions[0]?.text ?? ''));
  return (
    <ReadValue label={label} hint={hint}>
      {name}
      <select ref={select} hidden disabled value={value} onChange={() => undefined}>
        {children}
      </select>
    </ReadValue>
  );
}

/** Whether something holds, in words. */
export const ReadCheck = ({ label, isSet }: { label: ReactNode; isSet: boolean }): ReactNode => (
  <p className="flex min-h-6 items-start gap-2.5">
    <span className={`mt-0.5 ${isSet ? 'text-good' : 'text-muted'}`}>
      <Icon name={isSet ? 'check' : 'x'} />
    </span>
    <span>
      {typeof label === 'string' ? t(label) : label}{' '}
      <span className="text-muted">{isSet ? t('(yes)') : t('(no)')}</span>
    </span>
  </p>
);
