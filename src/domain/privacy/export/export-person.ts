import { errors } from '../../../errors.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Db } from '../../../store/database.ts';
import { knownIds } from '../../../store/privacy/person-data.ts';
import { FILES, REGISTER } from '../../../store/privacy/register/register.ts';
import type { SignedLinks } from '../../links/signed-links.ts';
import { checkNumbers } from '../../numbers/dialable-number.ts';
import { callsOf, chatsOf, tablesBy, type Subject, type TableRows } from './person-rows.ts';
import { SEARCHES, type Person } from './searches.ts';

export type { Subject, TableRows };

/** Whose data is asked for. */
export interface Asked {
  readonly mobileNumbers: readonly string[];
  readonly callIds: readonly string[];
  readonly chatIds: readonly string[];
}

/** A place of personal data: what it holds, how long it keeps it, and why the export leaves it out. */
export interface PersonalPlace {
  readonly place: string;
  readonly holds: string;
  /** The retention rule; null: none. */
  readonly keptBy: string | null;
  /** Null: the export has it. */
  readonly leftOut: string | null;
}

/** The data of a person. Its parts are to be read in their order, each to its end: mentions are looked for by what came before. */
export interface PersonData {
  readonly madeAt: Date;
  readonly workspaceId: string;
  readonly asked: Asked;
  /** Null: calls were looked through, which shows progress. */
  readonly calls: AsyncIterable<Subject | null>;
  readonly chats: AsyncIterable<Subject>;
  readonly lists: readonly TableRows[];
  readonly mentions: readonly TableRows[];
  readonly places: readonly PersonalPlace[];
}

/**
 * Everything that the register of personal data finds of a person in the workspace. A page of rows is read when the one
 * before was taken, so memory grows only by the ids of the person's calls and chats. Throws 422 for an invalid number, 404
 * for a call or chat that the workspace does not have.
 */
export async function exportPerson(
  deps: { readonly db: Db; readonly clock: Clock; readonly link: SignedLinks },
  workspaceId: string,
  asked: Asked,
): Promise<PersonData> {
  const { db } = deps;
  const madeAt = new Date(deps.clock.now());
  checkNumbers('mobile_numbers', asked.mobileNumbers);
  const mobileNumbers = [...new Set(asked.mobileNumbers)];
  const callIds = await known(db, 'call', workspaceId, asked.callIds);
  const chatIds = await known(db, 'chat', workspaceId, asked.chatIds);
  const person: Person = { workspaceId, mobileNumbers, callIds: [], chatIds: [], until: madeAt };
  return {
    madeAt,
    workspaceId,
    asked: { mobileNumbers, callIds, chatIds },
    calls: callsOf(deps, person, callIds),
    chats: chatsOf(deps, person, chatIds),
    lists: tablesBy(db, 'number', workspaceId, mobileNumbers),
    mentions: Object.entries(SEARCHES).map(([table, search]) => ({ table, pages: search(db, person) })),
    places: places(),
  };
}

async function known(
  db: Db,
  of: 'call' | 'chat',
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  const found = wanted.length === 0 ? [] : await knownIds(db, of, workspaceId, wanted);
  if (found.length === wanted.length) return wanted;
  throw of === 'call' ? errors.callNotFound() : errors.chatNotFound();
}

function places(): PersonalPlace[] {
  const columns = Object.entries(REGISTER).flatMap(([table, entry]) =>
    Object.entries(entry.columns).map(([column, { holds, retention, leftOut }]) => {
      const { exporting } = entry;
      const ofTable = typeof exporting === 'object' && 'leftOut' in exporting ? exporting.leftOut : null;
      return { place: `${table}.${column}`, holds, keptBy: retention, leftOut: ofTable ?? leftOut ?? null };
    }),
  );
  const files = FILES.map(({ place, holds, retention, leftOut = null }) => ({
    place,
    holds,
    keptBy: retention,
    leftOut,
  }));
  return [...columns, ...files];
}
