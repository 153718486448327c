import type { Schema } from '../../schema.ts';
import { CALL_TABLES } from './calls.ts';
import { CHAT_TABLES } from './chats.ts';
import { CONTACT_TABLES } from './contacts.ts';
import { LOG_TABLES } from './logs.ts';
import { MEMBER_TABLES } from './members.ts';

export type Table = keyof Schema;

/**
 * How the erasure of a person changes a column. `set`: an SQL expression over the row. `row`: the row is deleted. `by`: code
 * of its own, which the text describes. `stays`: the reason.
 */
export type Erasing =
  | { readonly set: string; readonly says: string }
  | 'row'
  | { readonly by: string }
  | { readonly stays: string };

/** Which retention setting deletes a column's data; null: none, it goes with an erasure or with its row. */
export type RetentionSetting =
  | 'recording_days'
  | 'transcript_days'
  | 'contact_days'
  | 'test_days'
  | 'audit_days';

export interface PersonalColumn {
  readonly holds: string;
  readonly erasing: Erasing;
  readonly retention: RetentionSetting | null;
  /** Why an export of a person's data leaves the column out; absent: it has it. */
  readonly leftOut?: string;
}

/**
 * How an export of a person's data finds the rows of a table. `rows`: by the call, chat or number. `by`: code of its own,
 * which the text describes. `leftOut`: the reason.
 */
export type Exporting = 'rows' | { readonly by: string } | { readonly leftOut: string };

/** A table with personal data, and the columns by which the rows of a person are found. */
export interface PersonalTable {
  readonly holds: string;
  /** The column with the id of the call, or of the chat. */
  readonly call?: string;
  readonly chat?: string;
  /** The column with the person's number in E.164 form, or an SQL expression for it. */
  readonly number?: string;
  readonly columns: Readonly<Record<string, PersonalColumn>>;
  readonly exporting: Exporting;
  /** Columns without personal data that explain a row of an export, such as its times. */
  readonly facts?: readonly string[];
  /** SQL that puts the rows of one call, chat or number in order; absent: it has one row. */
  readonly order?: string;
  /** Columns that an erasure updates beside: the time of the change. */
  readonly stamp?: string;
}

/** Every table with personal data. A column in neither this register nor `NOT_PERSONAL` fails a structure test. */
export const REGISTER: Readonly<Partial<Record<Table, PersonalTable>>> = {
  ...CALL_TABLES,
  ...CHAT_TABLES,
  ...CONTACT_TABLES,
  ...LOG_TABLES,
  ...MEMBER_TABLES,
};

/** Personal data outside the tables. */
export const FILES: readonly {
  readonly place: string;
  readonly holds: string;
  readonly erasing: string;
  readonly retention: string;
  /** Why an export of a person's data leaves it out; absent: it has it. */
  readonly leftOut?: string;
}[] = [
  {
    place: '`DATA_DIR/recordings`, or the bucket',
    holds: 'recordings of every attempt, their MP3 copies and waveforms',
    erasing:
      'links are invalid before the response; files are deleted within seconds, after a crash within a minute, in an unreachable store as soon as it is reachable',
    retention: '`recording_days`',
  },
  {
    place: '`DATA_DIR/tombstones.jsonl`, or the bucket',
    holds:
      'HMACs of erased and opted-out numbers, ids of erased calls and chats, hashes of keys, ids of members',
    erasing: '**stays**: without it a restored backup would bring erased people back',
    retention: 'none',
    leftOut: 'nothing in it names a person',
  },
  {
    place: 'log of the service',
    holds: 'ids, addresses of clients; no number, name or word of a person',
    erasing: '**stays**: it holds no personal data',
    retention: 'that of your log system',
    leftOut: 'it holds no personal data',
  },
  {
    place: 'pages and write-ahead log of PostgreSQL, backups',
    holds: 'what the tables held before',
    erasing: 'freed pages are overwritten after a vacuum; a restore applies the list of tombstones',
    retention: 'as long as you keep backups',
    leftOut: 'it repeats what the tables hold or held',
  },
];
