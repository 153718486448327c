import {
  createContext,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { call, type Input } from '../../../api/client.ts';
import { readAgain } from '../../../api/queries.ts';
import type { Form } from '../../../drafts/use-draft.ts';
import { notify } from '../../../ui/toasts.ts';
import { t } from '../../../words/words.ts';
import { differenceOf } from '../../../../../src/domain/agents/draft/difference.ts';
import type { Edit } from '../types.ts';
import { useEdits } from './edits-of.tsx';
import type { Sent } from './edits.ts';
import { MovedDialog, type Moved } from './moved-dialog.tsx';
import { SaveBar, type Refusal } from './save-bar.tsx';

/** One card of a tab, as it was last drawn. */
interface Section {
  readonly title: string;
  readonly agentId: string;
  readonly element: HTMLFormElement | null;
  readonly form: Pick<
    Form<unknown>,
    'draft' | 'now' | 'isChanged' | 'isMoved' | 'reset' | 'stored' | 'saved'
  >;
  readonly sent: Sent;
  /** The edit that restores what is stored. */
  readonly before: Edit | undefined;
  /** What keeps it from being sent. */
  readonly problem: string | undefined;
  /** A value of the form as the document that people compare. */
  readonly documentOf: (value: unknown) => unknown;
}
/** A saved section; null: it cannot be undone. */
type Saved = { readonly undo: (() => Promise<unknown>) | null };

interface Forms {
  readonly draw: (id: string, section: Section | null) => void;
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly save: () => void;
}
const FormsContext = createContext<Forms | null>(null);

/** Takes part in the Save bar of the tab. `refusal` says why the last save left the section out. */
export function useSection(section: Omit<Section, 'element'>): {
  ref: RefObject<HTMLFormElement | null>;
  refusal: Refusal | undefined;
  save: () => void;
} {
  const forms = useContext(FormsContext);
  if (forms === null) throw new Error('a card of an assistant is outside of TabForms');
  const id = useId();
  const ref = useRef<HTMLFormElement>(null);
  const { draw } = forms;
  useEffect(() => draw(id, { ...section, element: ref.current }));
  useEffect(() => () => draw(id, null), [draw, id]);
  return { ref, refusal: forms.refusals.get(id), save: forms.save };
}

const inOrder = ([, { element: a }]: [string, Section], [, { element: b }]: [string, Section]): number =>
  a !== null && b !== null && (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
    ? 1
    : -1;

/** The cards of one tab with one Save bar, which saves every changed card. */
export function TabForms({ children }: { children: ReactNode }): ReactNode {
  const edits = useEdits();
  const sections = useRef(new Map<string, Section>());
  const [changed, setChanged] = useState<readonly { readonly id: string; readonly title: string }[]>([]);
  const [refusals, setRefusals] = useState<ReadonlyMap<string, Refusal>>(new Map());
  const [moved, setMoved] = useState<readonly Moved[]>([]);
  const [isSaving, setSaving] = useState(false);

  const [changedNow] = useState(
    () => (): [string, Section][] =>
      [...sections.current].filter(([, { form }]) => form.isChanged).toSorted(inOrder),
  );
  const [draw] = useState(() => (id: string, section: Section | null): void => {
    if (section === null) sections.current.delete(id);
    else sections.current.set(id, section);
    const now = changedNow().map(([key, { title }]) => ({ id: key, title }));
    const named = (list: typeof now): string => list.map((each) => each.id).join(' ');
    setChanged((before) => (named([...before]) === named(now) ? before : now));
    // A problem that the fields no longer have is not shown any more.
    setRefusals((before) => {
      const isOver = typeof before.get(id) === 'string' && section?.problem !== before.get(id);
      return isOver ? new Map([...before].filter(([key]) => key !== id)) : before;
    });
  });

  /** `accepted`: what the service had when the person chose to replace it, as JSON. Null: somebody else changed the section. */
  const saveOne = async (id: string, accepted?: string): Promise<Saved | Refusal | null> => {
    const section = sections.current.get(id);
    if (section?.problem !== undefined) return section.problem;
    if (section?.element?.reportValidity() === false)
      return new Error(t('A field has a value that cannot be saved.'));
    let last: Section | undefined;
    const outcome = await edits.send(() => {
      last = sections.current.get(id);
      if (last === undefined) return 'moved';
      const isMoved = last.form.isMoved && JSON.stringify(last.form.now) !== accepted;
      return isMoved ? 'moved' : last.sent;
    });
    if (outcome === 'moved') return null;
    last?.form.stored();
    last?.form.saved();
    if (section?.before === undefined) return { undo: null };
    const input: Input<'editAgent'> = {
      ...section.before,
      agent_id: section.agentId,
      version_id: outcome.version,
    };
    return { undo: () => call('editAgent', input) };
  };
  /** False: a section is not saved. */
  const save = async (ids: readonly string[], accepted?: string): Promise<boolean> => {
    setSaving(true);
    const refused = new Map(refusals);
    const both: Moved[] = [];
    const saved: string[] = [];
    const undos: (() => Promise<unknown>)[] = [];
    for (const id of ids) {
      const { title = '', element } = sections.current.get(id) ?? {};
      refused.delete(id);
      // oxlint-disable-next-line no-await-in-loop -- each section is judged by what the one before it has left
      const outcome = await saveOne(id, accepted).catch((error: unknown) =>
        error instanceof Error ? error : String(error),
      );
      if (outcome === null) {
        const section = sections.current.get(id);
        if (section !== undefined) both.push(movedOf(id, section));
      } else if (typeof outcome === 'string' || outcome instanceof Error) refused.set(id, outcome);
      else {
        saved.push(title);
        if (outcome.undo !== null) undos.push(outcome.undo);
        if (document.activeElement === document.body) element?.focus({ preventScroll: true });
      }
    }
    setRefusals(refused);
    setMoved((before) => [...before.filter((each) => !ids.includes(each.id)), ...both]);
    setSaving(false);
    const isAll = refused.size === 0 && both.length === 0;
    if (saved.length === 0) return isAll;
    const undoAll = async (): Promise<void> => {
      // oxlint-disable-next-line no-await-in-loop -- the last change is taken back first
      for (const undo of undos.toReversed()) await undo();
      await readAgain(['getAgent', 'listAgents']);
    };
    notify({
      text: t('{sections}: saved.', { sections: saved.join(', ') }),
      undo: undos.length === saved.length ? undoAll : undefined,
    });
    return isAll;
  };
  const saveAll = async (): Promise<boolean> => !isSaving && save(changedNow().map(([id]) => id));
  const newest = useRef(saveAll);
  useEffect(() => {
    newest.current = saveAll;
  });
  useEffect(() => edits.join(() => newest.current()), [edits]);
  return (
    <FormsContext value={{ draw, refusals, save: () => void saveAll() }}>
      {children}
      {changed.length === 0 ? null : (
        <SaveBar
          sections={changed.map((each) => ({ ...each, refusal: refusals.get(each.id) }))}
          isSaving={isSaving}
          onFind={(id) => sections.current.get(id)?.element?.focus()}
          onDiscard={() => {
            for (const [, { form }] of changedNow()) form.reset();
            setRefusals(new Map());
          }}
          onSave={() => void saveAll()}
        />
      )}
      {moved.length === 0 ? null : (
        <MovedDialog
          moved={moved}
          isSaving={isSaving}
          onMine={({ id, theirs }) => void save([id], theirs)}
          onTheirs={({ id }) => {
            setMoved(moved.filter((each) => each.id !== id));
            sections.current.get(id)?.form.reset();
          }}
          onClose={() => setMoved([])}
        />
      )}
    </FormsContext>
  );
}

function movedOf(id: string, { title, form, documentOf }: Section): Moved {
  const [theirs, mine] = [form.now, form.draft].map((value) => ({ [title]: documentOf(value) }));
  return { id, title, theirs: JSON.stringify(form.now), changes: differenceOf(theirs ?? {}, mine ?? {}) };
}
