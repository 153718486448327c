import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { curlOf, type Input, type OperationName } from '../api/client.ts';
import { t } from '../words/words.ts';
import { useShowsRequests } from './developer.ts';
import { plainMessage } from './plain-message.ts';
import { ReadCheck, ReadChoice, ReadValue } from './read-value.tsx';

type Look = 'primary' | 'plain' | 'danger';
const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-on-accent hover:brightness-110',
  plain: 'border border-line bg-surface text-ink hover:bg-raised',
  danger: 'border border-bad bg-surface text-bad hover:bg-raised',
};

/** The classes of a button, also for links that look like one. */
export const buttonClass = (look: Look = 'plain'): string =>
  `inline-flex min-h-control items-center justify-center gap-2 rounded-md px-3 py-1 text-sm font-medium whitespace-nowrap no-underline transition-colors disabled:cursor-not-allowed disabled:opacity-60 ${LOOKS[look]}`;

export function Button({
  look = 'plain',
  busy = false,
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'className'> & { look?: Look; busy?: boolean }): ReactNode {
  return (
    <button type="button" {...rest} disabled={rest.disabled === true || busy} className={buttonClass(look)}>
      {busy ? (
        <span
          aria-hidden="true"
          className="size-3 animate-spin rounded-full border-2 border-current border-t-transparent"
        />
      ) : null}
      {children}
    </button>
  );
}

const BOX =
  'min-h-control w-full rounded-md border border-line bg-surface px-2.5 py-1 leading-5.5 text-ink file:mr-3 file:rounded-sm file:border-0 file:bg-raised file:px-3 file:text-ink placeholder:text-muted disabled:opacity-60 aria-[invalid=true]:border-bad';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** Label, control, hint and error, tied together for screen readers. */
function Labelled({
  label,
  hint,
  error,
  children,
}: FieldProps & {
  children: (props: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': boolean;
  }) => ReactNode;
}): ReactNode {
  const id = useId();
  const isRaw = useShowsRequests();
  const described = [
    hint === undefined ? [] : [`${id}-hint`],
    error === undefined ? [] : [`${id}-error`],
  ].flat();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {t(label)}
      </label>
      {children({
        id,
        'aria-describedby': described.length === 0 ? undefined : described.join(' '),
        'aria-invalid': error !== undefined,
      })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {typeof hint === 'string' ? t(hint) : hint}
        </p>
      )}
      {error === undefined ? null : (
        <p id={`${id}-error`} className="text-sm text-bad">
          {isRaw ? error : plainMessage(error)}
        </p>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  ...rest
}: FieldProps & Omit<ComponentProps<'input'>, 'className' | 'id'>): ReactNode {
  if (rest.readOnly === true)
    return (
      <ReadValue label={label} hint={hint}>
        {rest.value}
      </ReadValue>
    );
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(wiring) => <input type="text" {...rest} {...wiring} className={BOX} />}
    </Labelled>
  );
}

export function TextArea({
  label,
  hint,
  error,
  ...rest
}: FieldProps & Omit<ComponentProps<'textarea'>, 'className' | 'id'>): ReactNode {
  if (rest.readOnly === true)
    return (
      <ReadValue label={label} hint={hint}>
        {rest.value}
      </ReadValue>
    );
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(wiring) => <textarea rows={5} {...rest} {...wiring} className={`${BOX} leading-relaxed`} />}
    </Labelled>
  );
}

/** `readOnly`: it shows the name of its choice. */
export function SelectField({
  label,
  hint,
  error,
  readOnly = false,
  children,
  ...rest
}: FieldProps & { readOnly?: boolean } & Omit<ComponentProps<'select'>, 'className' | 'id'>): ReactNode {
  if (readOnly)
    return (
      <ReadChoice label={label} hint={hint} value={rest.value}>
        {children}
      </ReadChoice>
    );
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(wiring) => (
        <select {...rest} {...wiring} className={BOX}>
          {children}
        </select>
      )}
    </Labelled>
  );
}

/** Copies a text, and says so. `name`: what a screen reader says instead of the label. */
export function CopyButton({
  text,
  label = 'Copy',
  name,
}: {
  text: string;
  label?: string;
  name?: string | undefined;
}): ReactNode {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async (): Promise<void> => {
    const isCopied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    setState(isCopied ? 'copied' : 'failed');
    setTimeout(() => setState('idle'), 2000);
  };
  const shown = t({ idle: label, copied: 'Copied', failed: 'Select and copy it' }[state]);
  return (
    <Button aria-label={state === 'idle' ? name : undefined} onClick={() => void copy()}>
      <span aria-live="polite" className="whitespace-nowrap">
        {shown}
      </span>
    </Button>
  );
}

/**
 * Copies the request that an action sends, for scripts; only where the reader wants requests. `of` names the action
 * where a list has one in each row.
 */
export function CopyCurl<O extends OperationName>({
  operation,
  input,
  of,
}: {
  operation: O;
  input: Input<O>;
  of?: string;
}): ReactNode {
  const isShown = useShowsRequests();
  if (!isShown) return null;
  const text = curlOf(operation, input);
  if (of === undefined) return <CopyButton text={text} label={t('Copy as curl')} />;
  return <CopyButton text={text} label="curl" name={t('Copy as curl: {of}', { of })} />;
}

/** An action of a row, with its request beside it. */
export const RowActions = ({ children }: { children: ReactNode }): ReactNode => (
  <span className="flex flex-wrap items-center gap-2 sm:in-[td]:-my-1">{children}</span>
);

/** A check box with its label beside it. `readOnly`: it says whether it is set. */
export function CheckField({
  label,
  ...rest
}: { label: ReactNode } & Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'>): ReactNode {
  if (rest.readOnly === true) return <ReadCheck label={label} isSet={rest.checked === true} />;
  return (
    <label className="flex min-h-6 items-start gap-2.5 max-sm:min-h-control max-sm:py-2">
      <input type="checkbox" {...rest} className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span>{typeof label === 'string' ? t(label) : label}</span>
    </label>
  );
}
