import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { call } from '../../../api/client.ts';
import { putAnswer, readAgain, readNow } from '../../../api/queries.ts';
import type { Draft } from '../types.ts';
import { Edits, type EditPorts, type Shown } from './edits.ts';

const EditsContext = createContext<Edits | null>(null);

/** What sends the edits of the shown version. */
export function useEdits(): Edits {
  const edits = useContext(EditsContext);
  if (edits === null) throw new Error('an editor of a version is outside of EditsOf');
  return edits;
}

/** The editors below change the shown version. `draft`: the one that is shown; null: another version is. */
export function EditsOf({
  agentId,
  version,
  draft,
  isActive,
  onOpened,
  children,
}: Pick<Shown, 'agentId' | 'version' | 'isActive'> &
  Pick<EditPorts, 'onOpened'> & { draft: Draft | null; children: ReactNode }): ReactNode {
  const shown: Shown = { agentId, version, draftTag: draft?.tag ?? null, isActive };
  const [edits] = useState(() => new Edits(shown, { call, readNow, putAnswer, readAgain, onOpened }));
  useEffect(() => edits.drawn(shown));
  return <EditsContext value={edits}>{children}</EditsContext>;
}
