import { createWriteStream } from 'node:fs';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createApiClient, ServiceError } from './api-client.ts';

export interface ExportPersonOptions {
  readonly call: readonly string[];
  readonly chat: readonly string[];
  readonly folder: string;
  readonly url: string;
  readonly key: string | undefined;
}

interface PersonFile {
  readonly calls: readonly {
    readonly call_id: string;
    readonly recordings: readonly { readonly attempt: number; readonly url: string }[];
  }[];
  readonly chats: readonly unknown[];
  readonly is_complete?: boolean;
}

/**
 * Writes everything that a workspace keeps of a person into a new folder: `person.json`, and a file for every recording.
 * Resolves with the exit code: 0 when all of it is there, 1 when not, 2 without a key or a person.
 */
export async function runExportPerson(
  numbers: readonly string[],
  options: ExportPersonOptions,
): Promise<number> {
  const { call, chat, url, key } = options;
  if (key === undefined || key === '') {
    console.error(
      'No API key: set CALLWRIGHT_API_KEY, or pass --key or --key-file. It is a named key with the scope privacy:write.',
    );
    return 2;
  }
  if (numbers.length + call.length + chat.length === 0) {
    console.error(
      'No person: give their numbers, or --call and --chat with the ids of their calls and chats.',
    );
    return 2;
  }
  try {
    const folder = resolve(options.folder);
    await newFolder(folder);
    const file = join(folder, 'person.json');
    const answer = await createApiClient(url, key).download('/calling/export-person', {
      ...(numbers.length === 0 ? {} : { mobile_numbers: numbers }),
      ...(call.length === 0 ? {} : { call_ids: call }),
      ...(chat.length === 0 ? {} : { chat_ids: chat }),
    });
    await save(answer, file);
    const person = readPerson(await readFile(file, 'utf8'));
    const recordings = await saveRecordings(person, folder);
    console.log(
      `${folder} has ${person.calls.length} calls, ${person.chats.length} chats and ${recordings} recordings of the person.`,
    );
    return 0;
  } catch (error) {
    const status = error instanceof ServiceError && error.status !== 0 ? `${error.status}: ` : '';
    console.error(`${status}${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

/** A folder that only its owner can read. */
async function newFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty.`);
}

async function save(answer: Response, file: string): Promise<void> {
  if (answer.body === null) throw new Error('The service sent nothing.');
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(file, { mode: 0o600, flags: 'wx' }));
}

/** Throws for a document that was cut off. */
function readPerson(text: string): PersonFile {
  let person: PersonFile | null = null;
  try {
    person = JSON.parse(text) as PersonFile;
  } catch {
    // A document that was cut off is no JSON.
  }
  if (person?.is_complete === true) return person;
  throw new Error('person.json was cut off: the service ended, or lost its database. Export again.');
}

async function saveRecordings({ calls }: PersonFile, folder: string): Promise<number> {
  let saved = 0;
  for (const { call_id: callId, recordings } of calls) {
    for (const { attempt, url } of recordings) {
      const answer = await fetch(url);
      if (!answer.ok) {
        throw new Error(`The recording of attempt ${attempt} of call ${callId} answers ${answer.status}.`);
      }
      await save(answer, join(folder, `${callId}-${attempt}.wav`));
      saved += 1;
    }
  }
  return saved;
}
