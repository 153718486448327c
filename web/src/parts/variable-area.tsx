import { useId, useState, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { TextArea } from '../ui/controls.tsx';
import { CountedArea } from '../ui/counted-area.tsx';
import { t } from '../words/words.ts';
import { begunVariable, completion, offeredNames, type Begun } from './begun-variable.ts';
import { caretPlace } from './caret-place.ts';

interface Offer {
  readonly begun: Begun;
  /** The option that Enter takes. */
  readonly at: number;
  readonly place: { readonly top: number; readonly left: number };
}

/**
 * A text that offers these variables in a list once `{{` is typed: arrows choose, Enter or Tab takes, Escape closes.
 * The focus stays in the text, which names the chosen option to a screen reader. HTML allows a text area no other role
 * than `textbox`, which has the same attributes as a combobox. `limit`: the text counts its characters.
 */
export function VariableArea({
  variables,
  limit,
  ...rest
}: Omit<ComponentProps<typeof TextArea>, 'value'> & {
  variables: readonly string[];
  limit?: number;
  value: string;
}): ReactNode {
  const id = useId();
  const [offer, setOffer] = useState<Offer | null>(null);
  if (rest.readOnly === true) return <TextArea {...rest} />;
  const names = offer === null ? [] : offeredNames(variables, offer.begun.typed);
  const isOpen = offer !== null && names.length > 0;
  const chosen = Math.min(offer?.at ?? 0, names.length - 1);
  const look = (area: HTMLTextAreaElement): void => {
    const begun =
      area.selectionStart === area.selectionEnd ? begunVariable(area.value, area.selectionStart) : null;
    setOffer(
      begun === null
        ? null
        : {
            begun,
            at: begun.typed === offer?.begun.typed ? offer.at : 0,
            place: caretPlace(area, begun.from),
          },
    );
  };
  const take = (area: HTMLTextAreaElement, name: string | undefined): void => {
    if (offer === null || name === undefined) return;
    const { from, to, put } = completion(area.value, offer.begun, name);
    area.setRangeText(put, from, to, 'end');
    // The form reads the text as it reads typed text.
    area.dispatchEvent(new Event('input', { bubbles: true }));
    setOffer(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const takes = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey;
    if (step === undefined && !takes && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) setOffer({ ...offer, at: (chosen + step + names.length) % names.length });
    else if (takes) take(event.currentTarget, names[chosen]);
    else setOffer(null);
  };
  const wiring = {
    'aria-autocomplete': 'list',
    'aria-controls': isOpen ? `${id}-list` : undefined,
    'aria-activedescendant': isOpen ? `${id}-${chosen}` : undefined,
    onInput: ({ currentTarget }) => look(currentTarget),
    onSelect: ({ currentTarget }) => {
      if (offer !== null) look(currentTarget);
    },
    onKeyDown,
    onBlur: () => setOffer(null),
  } satisfies Partial<ComponentProps<'textarea'>>;
  return (
    <div className="relative">
      {limit === undefined ? (
        <TextArea {...rest} {...wiring} />
      ) : (
        <CountedArea {...rest} {...wiring} limit={limit} />
      )}
      {isOpen ? (
        <ul
          id={`${id}-list`}
          role="listbox"
          aria-label={t('Variables')}
          className="absolute z-20 mt-1 max-h-80 max-w-full min-w-44 overflow-y-auto rounded-md border border-line bg-surface p-1 shadow-lg"
          style={{ top: offer.place.top, left: `min(${offer.place.left}px, max(0px, 100% - 14rem))` }}
        >
          {names.map((name, index) => (
            // The keyboard reaches the options through the text.
            // oxlint-disable-next-line jsx_a11y/click-events-have-key-events
            <li
              key={name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className="flex min-h-control cursor-pointer items-center rounded-md px-2 text-sm wrap-anywhere hover:bg-raised aria-selected:bg-raised aria-selected:text-accent"
              // A press keeps the focus in the text.
              onMouseDown={(event) => event.preventDefault()}
              onClick={({ currentTarget }) => {
                const area = currentTarget.closest('.relative')?.querySelector('textarea');
                if (area != null) take(area, name);
              }}
            >
              {name}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
