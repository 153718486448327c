import type { PersonData, Subject, TableRows } from '../../domain/privacy/export/export-person.ts';

type Pieces = AsyncGenerator<string>;

/** The data of a person as one JSON document, piece by piece. */
export async function* personDocument(data: PersonData): Pieces {
  const { asked, places } = data;
  const head = {
    made_at: data.madeAt.toISOString(),
    workspace_id: data.workspaceId,
    asked_for: { mobile_numbers: asked.mobileNumbers, call_ids: asked.callIds, chat_ids: asked.chatIds },
  };
  yield `${JSON.stringify(head).slice(0, -1)},\n"calls":[`;
  yield* subjects(data.calls, ({ id, recordings }) => ({ call_id: id, recordings }));
  yield '],\n"chats":[';
  yield* subjects(data.chats, ({ id }) => ({ chat_id: id }));
  yield '],\n"lists":{';
  yield* tables(data.lists, '');
  yield '},\n"mentions":{';
  yield* tables(data.mentions, '');
  const shown = places.map(({ place, holds, keptBy, leftOut }) => ({
    place,
    holds,
    kept_by: keptBy,
    left_out: leftOut,
  }));
  yield `},\n"places":${JSON.stringify(shown)},\n"is_complete":true}\n`;
}

/** Calls or chats: their fields, then their rows by table. */
async function* subjects(
  each: AsyncIterable<Subject | null>,
  fieldsOf: (subject: Subject) => object,
): Pieces {
  let comma = '';
  for await (const subject of each) {
    // White space keeps a connection alive while a long search finds nothing.
    if (subject === null) {
      yield '\n';
      continue;
    }
    yield `${comma}\n${JSON.stringify(fieldsOf(subject)).slice(0, -1)}`;
    yield* tables(subject.tables, ',');
    yield '}';
    comma = ',';
  }
}

/** Fields of an object: the rows of each table. */
async function* tables(each: readonly TableRows[], before: '' | ','): Pieces {
  let comma: string = before;
  for (const { table, pages } of each) {
    yield `${comma}\n${JSON.stringify(table)}:[`;
    yield* rows(pages);
    yield ']';
    comma = ',';
  }
}

async function* rows(pages: TableRows['pages']): Pieces {
  let comma = '';
  for await (const page of pages) {
    if (page.length === 0) yield '\n';
    for (const row of page) {
      yield `${comma}\n${JSON.stringify(row)}`;
      comma = ',';
    }
  }
}
