import { afterAll, describe, expect, it, vi } from 'vitest';
import type { EditPorts, Sent, Shown } from './edits.ts';

vi.stubGlobal('sessionStorage', { getItem: () => null });
vi.stubGlobal('localStorage', { getItem: () => null });
// Other files of this process keep modules without the requests of this one.
vi.resetModules();
const { ApiFailure } = await import('../../../api/client.ts');
const { Edits } = await import('./edits.ts');

const GREETING: Extract<Sent, { isAtOnce: boolean }> = {
  edit: { operation: 'edit_intro_message', intro_message: 'Hello.' },
  isAtOnce: false,
};
const VOCAB: Sent = { edit: { operation: 'edit_vocab', vocab: [] }, isAtOnce: false };

afterAll(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** A draft whose tag counts its edits, and a page that draws what it reads. */
function bench({ isActive = false, moves = 0 } = {}) {
  const sent: string[] = [];
  let tag = 0;
  let left = moves;
  const shownOf = (draftTag: string | null): Shown =>
    ({
      agentId: 'agent',
      version: { version_id: draftTag === null ? 'active' : 'draft' },
      draftTag,
      isActive: draftTag === null && isActive,
    }) as unknown as Shown;
  const ports = {
    call: async (
      name: string,
      input: { version_id?: string; operation?: string },
      _: unknown,
      more: object = {},
    ) => {
      const match = (more as Record<string, string>)['if-match'];
      sent.push(
        [name, input.operation, input.version_id, match].filter((part) => part !== undefined).join(' '),
      );
      if (name === 'editAgent' && match !== undefined) {
        if (left > 0) {
          left -= 1;
          tag += 1;
        }
        if (match !== `"${tag}"`) throw new ApiFailure(409, { code: 'DRAFT_MOVED' });
        tag += 1;
      }
      return { draft: { tag: String(tag), version_id: 'draft' } };
    },
    readNow: async () => {
      setTimeout(() => edits.drawn(shownOf(String(tag))));
      return { draft: { tag: String(tag) } };
    },
    putAnswer: () => {},
    readAgain: async () => {},
    onOpened: (id: string) => sent.push(`opened ${id}`),
  } as unknown as EditPorts;
  const edits = new Edits(shownOf(isActive ? null : '0'), ports);
  return { edits, sent };
}

describe('the edits of a page', () => {
  it('go one after another, each with the tag that the one before it led to', async () => {
    const { edits, sent } = bench();
    const outcomes = await Promise.all([edits.send(() => GREETING), edits.send(() => VOCAB)]);
    expect(outcomes).toEqual([{ version: 'draft' }, { version: 'draft' }]);
    expect(sent).toEqual(['editAgent edit_intro_message draft "0"', 'editAgent edit_vocab draft "1"']);
  });

  it('of the active version open a draft first', async () => {
    const { edits, sent } = bench({ isActive: true });
    expect(await edits.send(() => GREETING)).toEqual({ version: 'draft' });
    expect(sent).toEqual(['openDraft', 'opened draft', 'editAgent edit_intro_message draft "0"']);
  });

  it('are judged anew by what the page shows after somebody else changed the draft', async () => {
    const { edits, sent } = bench({ moves: 1 });
    let tries = 0;
    const outcome = await edits.send(() => {
      tries += 1;
      return tries === 1 ? GREETING : 'moved';
    });
    expect(outcome).toBe('moved');
    expect(sent).toEqual(['editAgent edit_intro_message draft "0"']);
    expect(await edits.send(() => VOCAB)).toEqual({ version: 'draft' });
    expect(sent.at(-1)).toBe('editAgent edit_vocab draft "1"');
  });

  it('end with 409 while somebody else changes the draft again and again', async () => {
    const { edits, sent } = bench({ moves: 100 });
    await expect(edits.send(() => GREETING)).rejects.toMatchObject({ status: 409 });
    expect(sent).toHaveLength(5);
  });

  it('of the assistant itself carry no tag of the draft', async () => {
    const { edits, sent } = bench({ isActive: true });
    await edits.send(() => ({ ...GREETING, isAtOnce: true }));
    expect(sent).toEqual(['editAgent edit_intro_message active']);
  });
});
